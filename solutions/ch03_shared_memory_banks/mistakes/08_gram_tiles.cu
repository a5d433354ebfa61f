// Typical wrong answers to 08_gram_tiles. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= no_padding: right, but 16 rows of the right tile begin in two banks
  __shared__ float left[16][16];
  __shared__ float right[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y;
  const int other = blockIdx.x * 16 + y;
  float sum = 0;
  for (int begin = 0; begin < K; begin += 16) {
    left[y][x] = begin + x < K && row < M ? a[row * K + begin + x] : 0.0F;
    right[y][x] = begin + x < K && other < M ? a[other * K + begin + x] : 0.0F;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[x][k];  // expect: gate conflicts
    __syncthreads();
  }
  const int column = blockIdx.x * 16 + x;
  if (row < M && column < M) c[row * M + column] = sum;

//= no_first_barrier: tiles are used that may not be there yet
  __shared__ float left[16][16];
  __shared__ float right[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y;
  const int other = blockIdx.x * 16 + y;
  float sum = 0;
  for (int begin = 0; begin < K; begin += 16) {
    left[y][x] = begin + x < K && row < M ? a[row * K + begin + x] : 0.0F;
    right[y][x] = begin + x < K && other < M ? a[other * K + begin + x] : 0.0F;  // expect: race
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[x][k];
    __syncthreads();
  }
  const int column = blockIdx.x * 16 + x;
  if (row < M && column < M) c[row * M + column] = sum;

//= no_second_barrier: the next tiles are brought while a slow warp still uses these
  __shared__ float left[16][16];
  __shared__ float right[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y;
  const int other = blockIdx.x * 16 + y;
  float sum = 0;
  for (int begin = 0; begin < K; begin += 16) {
    left[y][x] = begin + x < K && row < M ? a[row * K + begin + x] : 0.0F;  // expect: race
    right[y][x] = begin + x < K && other < M ? a[other * K + begin + x] : 0.0F;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[x][k];
  }
  const int column = blockIdx.x * 16 + x;
  if (row < M && column < M) c[row * M + column] = sum;

//= whole_steps_only: the columns of a behind the last whole step are forgotten
  __shared__ float left[16][16];
  __shared__ float right[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y;
  const int other = blockIdx.x * 16 + y;
  float sum = 0;
  for (int step = 0; step < K / 16; ++step) {
    left[y][x] = row < M ? a[row * K + step * 16 + x] : 0.0F;
    right[y][x] = other < M ? a[other * K + step * 16 + x] : 0.0F;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[x][k];
    __syncthreads();
  }
  const int column = blockIdx.x * 16 + x;
  if (row < M && column < M) c[row * M + column] = sum;  // expect: wrong result

//= no_guard: the last tiles are brought past the end of a
  __shared__ float left[16][16];
  __shared__ float right[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y;
  const int other = blockIdx.x * 16 + y;
  float sum = 0;
  for (int begin = 0; begin < K; begin += 16) {
    left[y][x] = a[row * K + begin + x];  // expect: out-of-bounds
    right[y][x] = begin + x < K && other < M ? a[other * K + begin + x] : 0.0F;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[x][k];
    __syncthreads();
  }
  const int column = blockIdx.x * 16 + x;
  if (row < M && column < M) c[row * M + column] = sum;

//= guard_only_rows: places behind the end of a row are those of the next row
  __shared__ float left[16][16];
  __shared__ float right[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y;
  const int other = blockIdx.x * 16 + y;
  float sum = 0;
  for (int begin = 0; begin < K; begin += 16) {
    const int l = row * K + begin + x, r = other * K + begin + x;
    left[y][x] = l < M * K ? a[l] : 0.0F;
    right[y][x] = r < M * K ? a[r] : 0.0F;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[x][k];
    __syncthreads();
  }
  const int column = blockIdx.x * 16 + x;
  if (row < M && column < M) c[row * M + column] = sum;  // expect: wrong result

//= row_of_the_column: the right tile is brought by column, each lane from another row of a
  __shared__ float left[16][16];
  __shared__ float right[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y;
  const int column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int begin = 0; begin < K; begin += 16) {
    left[y][x] = begin + x < K && row < M ? a[row * K + begin + x] : 0.0F;
    right[y][x] = begin + y < K && column < M ? a[column * K + begin + y] : 0.0F;  // expect: gate sectors
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  if (row < M && column < M) c[row * M + column] = sum;

//= turned_unpadded: right and the loads are free of conflicts, but the right tile is stored down a bank
  __shared__ float left[16][16];
  __shared__ float right[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y;
  const int other = blockIdx.x * 16 + y;
  float sum = 0;
  for (int begin = 0; begin < K; begin += 16) {
    left[y][x] = begin + x < K && row < M ? a[row * K + begin + x] : 0.0F;
    right[x][y] = begin + x < K && other < M ? a[other * K + begin + x] : 0.0F;  // expect: gate stores
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  const int column = blockIdx.x * 16 + x;
  if (row < M && column < M) c[row * M + column] = sum;

//= not_transposed: the product of A with itself as far as it fits, not with its transpose
  __shared__ float left[16][16];
  __shared__ float right[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y;
  const int other = blockIdx.x * 16 + y;
  float sum = 0;
  for (int begin = 0; begin < K; begin += 16) {
    left[y][x] = begin + x < K && row < M ? a[row * K + begin + x] : 0.0F;
    right[y][x] = begin + x < K && other < M ? a[other * K + begin + x] : 0.0F;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  const int column = blockIdx.x * 16 + x;
  if (row < M && column < M) c[row * M + column] = sum;  // expect: wrong result

//= straight_from_global: right, but each thread reads its two rows from global memory
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  if (row >= M || column >= M) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += a[row * K + k] * a[column * K + k];  // expect: gate sectors
  c[row * M + column] = sum;

//= both_padded: more than is needed, and right: the left tile is padded as well
  __shared__ float left[16][17], right[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, other = blockIdx.x * 16 + y;  // expect: pass
  float sum = 0;
  for (int begin = 0; begin < K; begin += 16) {
    const bool inside = begin + x < K;
    left[y][x] = inside && row < M ? a[row * K + begin + x] : 0.0F;
    right[y][x] = inside && other < M ? a[other * K + begin + x] : 0.0F;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[x][k];
    __syncthreads();
  }
  const int column = blockIdx.x * 16 + x;
  if (row < M && column < M) c[row * M + column] = sum;

//= down_the_columns: right, as c is its own transpose, but neighbouring threads store a row apart
  __shared__ float left[16][16];
  __shared__ float right[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, other = blockIdx.x * 16 + y;
  float sum = 0;
  for (int begin = 0; begin < K; begin += 16) {
    const bool inside = begin + x < K;
    left[y][x] = inside && row < M ? a[row * K + begin + x] : 0.0F;
    right[y][x] = inside && other < M ? a[other * K + begin + x] : 0.0F;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[x][k];
    __syncthreads();
  }
  const int column = blockIdx.x * 16 + x;
  if (row < M && column < M) c[column * M + row] = sum;  // expect: gate results

//= half_of_the_block: right, but half of the block only brings
  __shared__ float left[16][16], right[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, other = blockIdx.x * 16 + y;
  const int column = blockIdx.x * 16 + x;
  float sums[2] = {0, 0};
  for (int begin = 0; begin < K; begin += 16) {
    const bool inside = begin + x < K;
    left[y][x] = inside && row < M ? a[row * K + begin + x] : 0.0F;
    right[y][x] = inside && other < M ? a[other * K + begin + x] : 0.0F;
    __syncthreads();
    for (int k = 0; k < 16 && y < 8; ++k) {
      sums[0] += left[y][k] * right[x][k];
      sums[1] += left[y + 8][k] * right[x][k];
    }
    __syncthreads();
  }
  for (int h = 0; h < 2 && y < 8; ++h) {
    if (row + 8 * h < M && column < M) c[(row + 8 * h) * M + column] = sums[h];  // expect: gate threads
  }
