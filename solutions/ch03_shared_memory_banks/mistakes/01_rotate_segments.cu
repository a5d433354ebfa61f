// Typical wrong answers to 01_rotate_segments. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= no_barrier: a thread takes a number that may not have been brought yet
  __shared__ float segment[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int m = min(256, n - blockIdx.x * 256);
  if (i < n) segment[threadIdx.x] = x[i];  // expect: race
  if (i < n) y[i] = segment[(threadIdx.x + shift) % m];

//= warp_barrier: __syncwarp orders the lanes of a warp, and the numbers come from other warps
  __shared__ float segment[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int m = min(256, n - blockIdx.x * 256);
  if (i < n) segment[threadIdx.x] = x[i];  // expect: race
  __syncwarp();
  if (i < n) y[i] = segment[(threadIdx.x + shift) % m];

//= barrier_in_the_question: the threads behind the end never reach the barrier
  __shared__ float segment[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int m = min(256, n - blockIdx.x * 256);
  if (i < n) {
    segment[threadIdx.x] = x[i];
    __syncthreads();  // expect: barrier-divergence
    y[i] = segment[(threadIdx.x + shift) % m];
  } else {
    __syncthreads();
  }

//= whole_segments_only: the last segment is rotated as if it had 256 numbers
  __shared__ float segment[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  segment[threadIdx.x] = i < n ? x[i] : 0.0F;
  __syncthreads();
  if (i < n) y[i] = segment[(threadIdx.x + shift) % 256];  // expect: wrong result

//= no_modulo: what is shifted out of the segment is looked for behind it
  __shared__ float segment[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) segment[threadIdx.x] = x[i];
  __syncthreads();
  if (i < n) y[i] = segment[threadIdx.x + shift];  // expect: out-of-bounds

//= other_direction: the numbers move the wrong way
  __shared__ float segment[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int m = min(256, n - blockIdx.x * 256);
  if (i < n) segment[(threadIdx.x + shift) % m] = x[i];
  __syncthreads();
  if (i < n) y[i] = segment[threadIdx.x];  // expect: wrong result

//= no_guard: the last segment is loaded past the end of x
  __shared__ float segment[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int m = min(256, n - blockIdx.x * 256);
  segment[threadIdx.x] = x[i];  // expect: out-of-bounds
  __syncthreads();
  if (i < n) y[i] = segment[(threadIdx.x + shift) % m];

//= straight_from_global: right, but each warp's load begins between two sectors
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int begin = blockIdx.x * 256;
  const int m = min(256, n - begin);
  if (i < n) y[i] = x[begin + (threadIdx.x + shift) % m];  // expect: gate sectors

//= half_of_the_block: right, but half of the block only watches
  __shared__ float segment[256];
  const int begin = blockIdx.x * 256;
  const int m = min(256, n - begin);
  for (int j = threadIdx.x; j < m && threadIdx.x < 128; j += 128) segment[j] = x[begin + j];
  __syncthreads();
  for (int j = threadIdx.x; j < m && threadIdx.x < 128; j += 128) {
    y[begin + j] = segment[(j + shift % m) % m];  // expect: gate threads
  }

//= signed_sum: the sum of a thread's number and the shift is larger than an int can be
  __shared__ float segment[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int m = min(256, n - static_cast<int>(blockIdx.x) * 256);
  if (i < n) segment[threadIdx.x] = x[i];
  __syncthreads();
  if (i < n) y[i] = segment[(static_cast<int>(threadIdx.x) + shift) % m];  // expect: out-of-bounds

//= returns_early: right, but threads without a number end before the barrier
  __shared__ float segment[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int m = min(256, n - static_cast<int>(blockIdx.x) * 256);
  if (i >= n) return;
  segment[threadIdx.x] = x[i];
  __syncthreads();  // expect: barrier-divergence
  y[i] = segment[(threadIdx.x + shift) % m];
