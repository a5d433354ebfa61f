// Typical wrong answers to 05_whole_warps. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= odd_and_even: right, but every warp has both jobs
  const int job = threadIdx.x % 2;
  const int place = blockIdx.x * 128 + threadIdx.x / 2;
  if (place >= n) return;
  if (job == 0) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += p[k * n + place];  // expect: gate requests
    y[place] = sum;
  } else {
    float largest = q[place];
    for (int k = 1; k < 8; ++k) largest = fmaxf(largest, q[k * n + place]);
    y[n + place] = largest;
  }

//= half_warps: right, but the first half of each warp adds and the second half looks
  const int job = threadIdx.x % 32 / 16;
  const int place = blockIdx.x * 128 + threadIdx.x / 32 * 16 + threadIdx.x % 16;
  if (place >= n) return;
  if (job == 0) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += p[k * n + place];  // expect: gate requests
    y[place] = sum;
  } else {
    float largest = q[place];
    for (int k = 1; k < 8; ++k) largest = fmaxf(largest, q[k * n + place]);
    y[n + place] = largest;
  }

//= both_jobs: right: each thread computes both and stores one; the compiler moves each loop to its use
  const int place = blockIdx.x * 128 + threadIdx.x % 128;
  if (place >= n) return;
  float sum = 0, largest = q[place];
  for (int k = 0; k < 8; ++k) {
    sum += p[k * n + place];  // expect: pass
    largest = fmaxf(largest, q[k * n + place]);
  }
  if (threadIdx.x < 128) {
    y[place] = sum;
  } else {
    y[n + place] = largest;
  }

//= no_block: the number of the block is missing
  const int job = threadIdx.x / 128;
  const int place = threadIdx.x % 128;
  if (place >= n) return;
  if (job == 0) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += p[k * n + place];
    y[place] = sum;  // expect: wrong result
  } else {
    float largest = q[place];
    for (int k = 1; k < 8; ++k) largest = fmaxf(largest, q[k * n + place]);
    y[n + place] = largest;
  }

//= offset_of_block: the second result is stored 128 places on, not n
  const int job = threadIdx.x / 128;
  const int place = blockIdx.x * 128 + threadIdx.x % 128;
  if (place >= n) return;
  if (job == 0) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += p[k * n + place];
    y[place] = sum;
  } else {
    float largest = q[place];
    for (int k = 1; k < 8; ++k) largest = fmaxf(largest, q[k * n + place]);
    y[128 + place] = largest;  // expect: out-of-bounds
  }

//= begins_at_zero: the largest number is never below 0
  const int job = threadIdx.x / 128;
  const int place = blockIdx.x * 128 + threadIdx.x % 128;
  if (place >= n) return;
  if (job == 0) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += p[k * n + place];
    y[place] = sum;
  } else {
    float largest = 0;
    for (int k = 1; k < 8; ++k) largest = fmaxf(largest, q[k * n + place]);
    y[n + place] = largest;  // expect: wrong result
  }

//= no_guard: the last block has places that do not exist
  const int job = threadIdx.x / 128;
  const int place = blockIdx.x * 128 + threadIdx.x % 128;
  if (job == 0) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += p[k * n + place];  // expect: out-of-bounds
    y[place] = sum;
  } else {
    float largest = q[place];
    for (int k = 1; k < 8; ++k) largest = fmaxf(largest, q[k * n + place]);
    y[n + place] = largest;
  }

//= other_half: right: the first four warps look, the others add
  const int job = threadIdx.x / 128;
  const int place = blockIdx.x * 128 + threadIdx.x % 128;
  if (place >= n) return;
  if (job == 1) {
    float sum = 0;  // expect: pass
    for (int k = 0; k < 8; ++k) sum += p[k * n + place];
    y[place] = sum;
  } else {
    float largest = q[place];
    for (int k = 1; k < 8; ++k) largest = fmaxf(largest, q[k * n + place]);
    y[n + place] = largest;
  }

//= one_block: right, but the first block does everything
  if (blockIdx.x > 0) return;
  for (int place = threadIdx.x % 128; place < n; place += 128) {
    if (threadIdx.x < 128) {
      float sum = 0;
      for (int k = 0; k < 8; ++k) sum += p[k * n + place];
      y[place] = sum;  // expect: gate threads
    } else {
      float largest = q[place];
      for (int k = 1; k < 8; ++k) largest = fmaxf(largest, q[k * n + place]);
      y[n + place] = largest;
    }
  }
