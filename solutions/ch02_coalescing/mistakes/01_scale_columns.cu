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
