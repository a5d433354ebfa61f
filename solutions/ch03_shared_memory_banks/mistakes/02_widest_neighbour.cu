// Typical wrong answers to 02_widest_neighbour. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= no_barrier: the neighbours' numbers may not be there yet
  __shared__ float tile[256 + 4];
  const int begin = blockIdx.x * 256;
  for (int t = threadIdx.x; t < 260; t += 256) {
    tile[t] = x[min(max(begin + t - 2, 0), n - 1)];  // expect: race
  }
  const int i = begin + threadIdx.x;
  if (i >= n) return;
  float largest = tile[threadIdx.x];
  for (int d = 1; d <= 4; ++d) largest = fmaxf(largest, tile[threadIdx.x + d]);
  y[i] = largest;

//= no_right_halo: the last four places of the tile get no number of x
  __shared__ float tile[256 + 4];
  const int begin = blockIdx.x * 256;
  tile[threadIdx.x] = x[min(max(begin + static_cast<int>(threadIdx.x) - 2, 0), n - 1)];
  if (threadIdx.x < 4) tile[256 + threadIdx.x] = -1e30F;
  __syncthreads();
  const int i = begin + threadIdx.x;
  if (i >= n) return;
  float largest = tile[threadIdx.x];
  for (int d = 1; d <= 4; ++d) largest = fmaxf(largest, tile[threadIdx.x + d]);
  y[i] = largest;  // expect: wrong result

//= left_halo_only: the halo on the right is taken for the end of the array, in every block
  __shared__ float tile[256 + 4];
  const int begin = blockIdx.x * 256;
  for (int t = threadIdx.x; t < 260; t += 256) {
    tile[t] = x[min(min(max(begin + t - 2, 0), n - 1), begin + 255)];  // expect: wrong result
  }
  __syncthreads();
  const int i = begin + threadIdx.x;
  if (i >= n) return;
  float largest = tile[threadIdx.x];
  for (int d = 1; d <= 4; ++d) largest = fmaxf(largest, tile[threadIdx.x + d]);
  y[i] = largest;

//= zeros_outside: neighbours that do not exist count as 0, which is larger than every number
  __shared__ float tile[256 + 4];
  const int begin = blockIdx.x * 256;
  for (int t = threadIdx.x; t < 260; t += 256) {
    const int from = begin + t - 2;
    tile[t] = from >= 0 && from < n ? x[from] : 0.0F;  // expect: wrong result
  }
  __syncthreads();
  const int i = begin + threadIdx.x;
  if (i >= n) return;
  float largest = tile[threadIdx.x];
  for (int d = 1; d <= 4; ++d) largest = fmaxf(largest, tile[threadIdx.x + d]);
  y[i] = largest;

//= begins_with_zero: the maximum starts at 0
  __shared__ float tile[256 + 4];
  const int begin = blockIdx.x * 256;
  for (int t = threadIdx.x; t < 260; t += 256) tile[t] = x[min(max(begin + t - 2, 0), n - 1)];
  __syncthreads();
  const int i = begin + threadIdx.x;
  if (i >= n) return;
  float largest = 0;  // expect: wrong result
  for (int d = 0; d <= 4; ++d) largest = fmaxf(largest, tile[threadIdx.x + d]);
  y[i] = largest;

//= edge_not_held: the halo is read outside of x
  __shared__ float tile[256 + 4];
  const int begin = blockIdx.x * 256;
  for (int t = threadIdx.x; t < 260; t += 256) {
    tile[t] = x[begin + t - 2];  // expect: out-of-bounds
  }
  __syncthreads();
  const int i = begin + threadIdx.x;
  if (i >= n) return;
  float largest = tile[threadIdx.x];
  for (int d = 1; d <= 4; ++d) largest = fmaxf(largest, tile[threadIdx.x + d]);
  y[i] = largest;

//= tile_too_small: the tile has no room for its halo
  __shared__ float tile[256];
  const int begin = blockIdx.x * 256;
  for (int t = threadIdx.x; t < 260; t += 256) {
    tile[t] = x[min(max(begin + t - 2, 0), n - 1)];  // expect: out-of-bounds
  }
  __syncthreads();
  const int i = begin + threadIdx.x;
  if (i >= n) return;
  float largest = tile[threadIdx.x];
  for (int d = 1; d <= 4; ++d) largest = fmaxf(largest, tile[threadIdx.x + d]);
  y[i] = largest;

//= off_by_one: the window begins one place too late
  __shared__ float tile[256 + 5];
  const int begin = blockIdx.x * 256;
  for (int t = threadIdx.x; t < 261; t += 256) tile[t] = x[min(max(begin + t - 2, 0), n - 1)];
  __syncthreads();
  const int i = begin + threadIdx.x;
  if (i >= n) return;
  float largest = tile[threadIdx.x + 1];
  for (int d = 2; d <= 5; ++d) largest = fmaxf(largest, tile[threadIdx.x + d]);
  y[i] = largest;  // expect: wrong result

//= five_loads: right, but each number is loaded five times from global memory
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float largest = x[i];
  for (int d = -2; d <= 2; ++d) {
    largest = fmaxf(largest, x[min(max(i + d, 0), n - 1)]);  // expect: gate sectors
  }
  y[i] = largest;

//= unsigned_edge: below zero an unsigned number is a very large one, and the last number stands for the first
  __shared__ float tile[256 + 4];
  for (unsigned t = threadIdx.x; t < 260; t += 256) {
    tile[t] = x[min(max(blockIdx.x * 256 + t - 2, 0U), static_cast<unsigned>(n) - 1)];
  }
  __syncthreads();
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float largest = tile[threadIdx.x];
  for (int d = 1; d <= 4; ++d) largest = fmaxf(largest, tile[threadIdx.x + d]);
  y[i] = largest;  // expect: wrong result

//= thousand_below: neighbours that do not exist count as -1000, which may be larger than all others
  __shared__ float tile[256 + 4];
  const int begin = blockIdx.x * 256 - 2;
  for (int t = threadIdx.x; t < 260; t += 256) {
    tile[t] = begin + t >= 0 && begin + t < n ? x[begin + t] : -1000.0F;
  }
  __syncthreads();
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float largest = tile[threadIdx.x];
  for (int d = 1; d <= 4; ++d) largest = fmaxf(largest, tile[threadIdx.x + d]);
  y[i] = largest;  // expect: wrong result

//= half_of_the_block: right, but half of the block only brings
  __shared__ float tile[260];
  const int begin = blockIdx.x * 256;
  for (int t = threadIdx.x; t < 260; t += 256) tile[t] = x[min(max(begin + t - 2, 0), n - 1)];
  __syncthreads();
  for (int j = threadIdx.x; j < 256 && threadIdx.x < 128; j += 128) {
    if (begin + j >= n) continue;
    float largest = tile[j];
    for (int d = 1; d <= 4; ++d) largest = fmaxf(largest, tile[j + d]);
    y[begin + j] = largest;  // expect: gate threads
  }
