// Typical wrong answers to 07_four_warps. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= waits_for_all: right, but each step waits for the next one's copies too
  start(0, 0);
  __pipeline_commit();
  for (int k = 0, stage = 0; k < K; k += 32, stage = 1 - stage) {
    if (k + 32 < K) start(1 - stage, k + 32);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int half = 0; half < 2; ++half) {
      unsigned of_a[4], of_b[4];
      ldmatrix_x4(of_a, tile_a[stage] + place(up + lane % 16, 2 * half + lane / 16));  // expect: gate overlap in the frame
      const int row_of_b = left + lane / 16 * 8 + lane % 8;
      ldmatrix_x4(of_b, tile_b[stage] + place(row_of_b, 2 * half + lane / 8 % 2));
      mma_m16n8k16(sums[0], of_a, of_b[0], of_b[1]);
      mma_m16n8k16(sums[1], of_a, of_b[2], of_b[3]);
    }
    __syncthreads();
  }

//= same_quarter: all warps multiply the first quarter
  start(0, 0);
  __pipeline_commit();
  for (int k = 0, stage = 0; k < K; k += 32, stage = 1 - stage) {
    if (k + 32 < K) start(1 - stage, k + 32);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int half = 0; half < 2; ++half) {
      unsigned of_a[4], of_b[4];
      ldmatrix_x4(of_a, tile_a[stage] + place(lane % 16, 2 * half + lane / 16));
      const int row_of_b = lane / 16 * 8 + lane % 8;
      ldmatrix_x4(of_b, tile_b[stage] + place(row_of_b, 2 * half + lane / 8 % 2));
      mma_m16n8k16(sums[0], of_a, of_b[0], of_b[1]);  // expect: wrong result
      mma_m16n8k16(sums[1], of_a, of_b[2], of_b[3]);
    }
    __syncthreads();
  }

//= exchanged: rows and columns of the quarter exchanged
  start(0, 0);
  __pipeline_commit();
  for (int k = 0, stage = 0; k < K; k += 32, stage = 1 - stage) {
    if (k + 32 < K) start(1 - stage, k + 32);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int half = 0; half < 2; ++half) {
      unsigned of_a[4], of_b[4];
      ldmatrix_x4(of_a, tile_a[stage] + place(left + lane % 16, 2 * half + lane / 16));
      const int row_of_b = up + lane / 16 * 8 + lane % 8;
      ldmatrix_x4(of_b, tile_b[stage] + place(row_of_b, 2 * half + lane / 8 % 2));
      mma_m16n8k16(sums[0], of_a, of_b[0], of_b[1]);  // expect: wrong result
      mma_m16n8k16(sums[1], of_a, of_b[2], of_b[3]);
    }
    __syncthreads();
  }

//= no_second_barrier: a fast warp fills a stage that others still read
  start(0, 0);
  __pipeline_commit();
  for (int k = 0, stage = 0; k < K; k += 32, stage = 1 - stage) {
    if (k + 32 < K) start(1 - stage, k + 32);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int half = 0; half < 2; ++half) {
      unsigned of_a[4], of_b[4];
      ldmatrix_x4(of_a, tile_a[stage] + place(up + lane % 16, 2 * half + lane / 16));  // expect: race in the frame
      const int row_of_b = left + lane / 16 * 8 + lane % 8;
      ldmatrix_x4(of_b, tile_b[stage] + place(row_of_b, 2 * half + lane / 8 % 2));
      mma_m16n8k16(sums[0], of_a, of_b[0], of_b[1]);
      mma_m16n8k16(sums[1], of_a, of_b[2], of_b[3]);
    }
  }

//= no_first_barrier: the copies of the other threads may not be there
  start(0, 0);
  __pipeline_commit();
  for (int k = 0, stage = 0; k < K; k += 32, stage = 1 - stage) {
    if (k + 32 < K) start(1 - stage, k + 32);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    for (int half = 0; half < 2; ++half) {
      unsigned of_a[4], of_b[4];
      ldmatrix_x4(of_a, tile_a[stage] + place(up + lane % 16, 2 * half + lane / 16));  // expect: race in the frame
      const int row_of_b = left + lane / 16 * 8 + lane % 8;
      ldmatrix_x4(of_b, tile_b[stage] + place(row_of_b, 2 * half + lane / 8 % 2));
      mma_m16n8k16(sums[0], of_a, of_b[0], of_b[1]);
      mma_m16n8k16(sums[1], of_a, of_b[2], of_b[3]);
    }
    __syncthreads();
  }

//= no_empty_group: the last copies are not waited for
  start(0, 0);
  __pipeline_commit();
  for (int k = 0, stage = 0; k < K; k += 32, stage = 1 - stage) {
    if (k + 32 < K) {
      start(1 - stage, k + 32);
      __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int half = 0; half < 2; ++half) {
      unsigned of_a[4], of_b[4];
      ldmatrix_x4(of_a, tile_a[stage] + place(up + lane % 16, 2 * half + lane / 16));  // expect: race in the frame
      const int row_of_b = left + lane / 16 * 8 + lane % 8;
      ldmatrix_x4(of_b, tile_b[stage] + place(row_of_b, 2 * half + lane / 8 % 2));
      mma_m16n8k16(sums[0], of_a, of_b[0], of_b[1]);
      mma_m16n8k16(sums[1], of_a, of_b[2], of_b[3]);
    }
    __syncthreads();
  }

//= one_half: only the first 16 of each 32 in k
  start(0, 0);
  __pipeline_commit();
  for (int k = 0, stage = 0; k < K; k += 32, stage = 1 - stage) {
    if (k + 32 < K) start(1 - stage, k + 32);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int half = 0; half < 1; ++half) {
      unsigned of_a[4], of_b[4];
      ldmatrix_x4(of_a, tile_a[stage] + place(up + lane % 16, 2 * half + lane / 16));
      const int row_of_b = left + lane / 16 * 8 + lane % 8;
      ldmatrix_x4(of_b, tile_b[stage] + place(row_of_b, 2 * half + lane / 8 % 2));
      mma_m16n8k16(sums[0], of_a, of_b[0], of_b[1]);  // expect: wrong result
      mma_m16n8k16(sums[1], of_a, of_b[2], of_b[3]);
    }
    __syncthreads();
  }

//= halves_of_b: the two chunks of b exchanged
  start(0, 0);
  __pipeline_commit();
  for (int k = 0, stage = 0; k < K; k += 32, stage = 1 - stage) {
    if (k + 32 < K) start(1 - stage, k + 32);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int half = 0; half < 2; ++half) {
      unsigned of_a[4], of_b[4];
      ldmatrix_x4(of_a, tile_a[stage] + place(up + lane % 16, 2 * half + lane / 16));
      const int row_of_b = left + lane / 16 * 8 + lane % 8;
      ldmatrix_x4(of_b, tile_b[stage] + place(row_of_b, 2 * half + lane / 8 % 2));
      mma_m16n8k16(sums[0], of_a, of_b[1], of_b[0]);  // expect: wrong result
      mma_m16n8k16(sums[1], of_a, of_b[3], of_b[2]);
    }
    __syncthreads();
  }

//= one_barrier: right: wait for all, one barrier, and only then begin the next copies
  start(0, 0);
  __pipeline_commit();
  for (int k = 0, stage = 0; k < K; k += 32, stage = 1 - stage) {
    __pipeline_wait_prior(0);
    __syncthreads();
    if (k + 32 < K) start(1 - stage, k + 32);
    __pipeline_commit();
    for (int half = 0; half < 2; ++half) {
      unsigned of_a[4], of_b[4];
      ldmatrix_x4(of_a, tile_a[stage] + place(up + lane % 16, 2 * half + lane / 16));
      const int row_of_b = left + lane / 16 * 8 + lane % 8;
      ldmatrix_x4(of_b, tile_b[stage] + place(row_of_b, 2 * half + lane / 8 % 2));
      mma_m16n8k16(sums[0], of_a, of_b[0], of_b[1]);  // expect: pass
      mma_m16n8k16(sums[1], of_a, of_b[2], of_b[3]);
    }
  }
