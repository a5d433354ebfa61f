// Typical wrong answers to 01_scale_columns. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= no_guard: the last block has threads without an element
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = i % columns;
  y[i] = x[i] * factor[column];  // expect: out-of-bounds

//= down_the_columns: right, but the lanes of a warp stand one below the other
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  const int row = i % rows;
  const int column = i / rows;
  y[row * columns + column] = x[row * columns + column] * factor[column];  // expect: gate sectors

//= row_per_thread: right, but each thread walks along a row of its own
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int column = 0; column < columns; ++column) {
    y[row * columns + column] = x[row * columns + column] * factor[column];  // expect: gate sectors
  }

//= factor_of_the_row: the factor is looked up by row
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  const int row = i / columns;
  y[i] = x[i] * factor[row % columns];  // expect: wrong result

//= swapped_divisor: row and column from the wrong extent, so that shapes that are not square break
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  const int column = i % rows;
  y[i] = x[i] * factor[min(column, columns - 1)];  // expect: wrong result

//= grid_for_block: the number of the thread is made with the wrong extent
  const int i = blockIdx.x * gridDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  y[i] = x[i] * factor[i % columns];  // expect: wrong result

//= guard_on_rows: the guard has only one of the two extents, the rest is never written
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= columns) return;
  y[i] = x[i] * factor[i];  // expect: wrong result

//= short_index: a short counts to 32767, and then from -32768
  const short i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  y[i] = x[i] * factor[i % columns];  // expect: out-of-bounds

//= one_block: right, but the first block does everything
  if (blockIdx.x > 0) return;
  for (int i = threadIdx.x; i < rows * columns; i += blockDim.x) {
    y[i] = x[i] * factor[i % columns];  // expect: gate share
  }

//= column_per_thread: right and coalesced, but most threads are idle
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  for (int row = 0; row < rows; ++row) {
    y[row * columns + column] = x[row * columns + column] * factor[column];  // expect: gate share
  }

//= half_of_the_block: right, but half of each block is idle
  if (threadIdx.x >= 128) return;
  for (int k = 0; k < 2; ++k) {
    const int i = blockIdx.x * 256 + k * 128 + threadIdx.x;
    if (i < rows * columns) y[i] = x[i] * factor[i % columns];  // expect: gate share
  }

//= atomics_and_decoys: right, but atomics go down the columns, and loads and stores are for show
  __device__ static float decoy[1 << 20];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  *(volatile float*)(decoy + i) = *(const volatile float*)(x + i);  // expect: gate stores
  const int j = i % rows * columns + i / rows;
  const float v = atomicAdd(const_cast<float*>(x) + j, 0.0F);
  const float f = atomicAdd(const_cast<float*>(factor) + j % columns, 0.0F);
  atomicExch(y + j, v * f);

//= grid_stride: right: a loop that would do for any grid
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * columns;
       i += gridDim.x * blockDim.x) {
    y[i] = x[i] * factor[i % columns];  // expect: pass
  }
