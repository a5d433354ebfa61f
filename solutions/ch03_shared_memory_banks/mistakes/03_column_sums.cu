// Typical wrong answers to 03_column_sums. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= no_padding: right, but number k of all 32 columns lies in bank k
  __shared__ float tile[32][32];
  const int first = blockIdx.x * 32;
  const int lane = threadIdx.x;
  for (int c = 0; c < 32 && first + c < columns; ++c) tile[c][lane] = x[(first + c) * 32 + lane];
  __syncthreads();
  if (first + lane >= columns) return;
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += tile[lane][k];  // expect: gate conflicts
  y[first + lane] = sum;

//= wide_padding: right, but with 40 words a column the columns begin in four banks
  __shared__ float tile[32][40];
  const int first = blockIdx.x * 32;
  const int lane = threadIdx.x;
  for (int c = 0; c < 32 && first + c < columns; ++c) tile[c][lane] = x[(first + c) * 32 + lane];
  __syncthreads();
  if (first + lane >= columns) return;
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += tile[lane][k];  // expect: gate conflicts
  y[first + lane] = sum;

//= turned_on_the_way_in: right and the sums are free of conflicts, but now the stores are not
  __shared__ float tile[32][32];
  const int first = blockIdx.x * 32;
  const int lane = threadIdx.x;
  for (int c = 0; c < 32; ++c) {
    tile[lane][c] = first + c < columns ? x[(first + c) * 32 + lane] : 0.0F;  // expect: gate conflicts
  }
  __syncthreads();
  if (first + lane >= columns) return;
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += tile[k][lane];
  y[first + lane] = sum;

//= no_barrier: a single warp needs one too
  __shared__ float tile[32][33];
  const int first = blockIdx.x * 32;
  const int lane = threadIdx.x;
  for (int c = 0; c < 32 && first + c < columns; ++c) tile[c][lane] = x[(first + c) * 32 + lane];
  if (first + lane >= columns) return;
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += tile[lane][k];  // expect: race
  y[first + lane] = sum;

//= no_guard: the last tile is loaded past the end of x
  __shared__ float tile[32][33];
  const int first = blockIdx.x * 32;
  const int lane = threadIdx.x;
  for (int c = 0; c < 32; ++c) tile[c][lane] = x[(first + c) * 32 + lane];  // expect: out-of-bounds
  __syncthreads();
  if (first + lane >= columns) return;
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += tile[lane][k];
  y[first + lane] = sum;

//= rows_instead: the sums run along the rows
  __shared__ float tile[32][33];
  const int first = blockIdx.x * 32;
  const int lane = threadIdx.x;
  for (int c = 0; c < 32; ++c) {
    tile[c][lane] = first + c < columns ? x[(first + c) * 32 + lane] : 0.0F;
  }
  __syncthreads();
  if (first + lane >= columns) return;
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += tile[k][lane];
  y[first + lane] = sum;  // expect: wrong result

//= last_one_forgotten: the loop ends one number too early
  __shared__ float tile[32][33];
  const int first = blockIdx.x * 32;
  const int lane = threadIdx.x;
  for (int c = 0; c < 32 && first + c < columns; ++c) tile[c][lane] = x[(first + c) * 32 + lane];
  __syncthreads();
  if (first + lane >= columns) return;
  float sum = 0;
  for (int k = 0; k < 31; ++k) sum += tile[lane][k];
  y[first + lane] = sum;  // expect: wrong result

//= straight_from_global: right, but the lanes stand 32 words apart
  const int column = blockIdx.x * 32 + threadIdx.x;
  if (column >= columns) return;
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += x[column * 32 + k];  // expect: gate sectors
  y[column] = sum;

//= shared_atomics: right, but all 32 lanes queue at the one word of a column
  __shared__ float sums[32];
  const int first = blockIdx.x * 32;
  const int lane = threadIdx.x;
  sums[lane] = 0;
  __syncthreads();
  for (int c = 0; c < 32 && first + c < columns; ++c) {
    atomicAdd(&sums[c], x[(first + c) * 32 + lane]);  // expect: gate atomics
  }
  __syncthreads();
  if (first + lane < columns) y[first + lane] = sums[lane];

//= one_lane_sums: right, but one lane adds all columns
  __shared__ float tile[32][33];
  const int first = blockIdx.x * 32;
  const int lane = threadIdx.x;
  for (int c = 0; c < 32 && first + c < columns; ++c) tile[c][lane] = x[(first + c) * 32 + lane];
  __syncthreads();
  for (int c = 0; c < 32 && first + c < columns && lane == 0; ++c) {
    float sum = 0;
    for (int k = 0; k < 32; ++k) sum += tile[c][k];
    y[first + c] = sum;  // expect: gate threads
  }
