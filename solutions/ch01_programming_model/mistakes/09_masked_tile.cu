// Typical wrong answers to 09_masked_tile. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= first_rows_only: each thread does one element, so that 24 rows of a tile are left
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;  // expect: wrong result
  const bool mask = row < rows && column < columns;
  if (mask) y[row * columns + column] = x[row * columns + column] + u[row] * v[column];

//= tile_as_high_as_the_block: the tile is taken to be 8 rows high
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;  // expect: wrong result
  const bool mask = row < rows && column < columns;
  if (mask) y[row * columns + column] = x[row * columns + column] + u[row] * v[column];

//= no_mask: tiles at the edges stick out
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int row = blockIdx.y * 32 + i;
    y[row * columns + column] = x[row * columns + column] + u[row] * v[column];  // expect: out-of-bounds
  }

//= mask_of_rows: columns beyond the right edge are the next row's first
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int row = blockIdx.y * 32 + i;
    if (row >= rows) continue;
    const float factor = v[column];  // expect: out-of-bounds
    y[row * columns + column] = x[row * columns + column] + u[row] * factor;
  }

//= mask_of_columns: rows below the lower edge do not exist
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int row = blockIdx.y * 32 + i;
    if (column >= columns) continue;
    const float factor = u[row];  // expect: out-of-bounds
    y[row * columns + column] = x[row * columns + column] + factor * v[column];
  }

//= mask_of_the_tile: only tiles that lie inside as a whole are done
  if ((blockIdx.x + 1) * 32 > columns || (blockIdx.y + 1) * 32 > rows) return;  // expect: wrong result
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int row = blockIdx.y * 32 + i;
    y[row * columns + column] = x[row * columns + column] + u[row] * v[column];
  }

//= mask_of_the_load: what is not there is not loaded, but it is stored
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int row = blockIdx.y * 32 + i;
    const bool mask = row < rows && column < columns;
    const float sum = mask ? x[row * columns + column] + u[row] * v[column] : 0.0F;
    y[row * columns + column] = sum;  // expect: out-of-bounds
  }

//= mask_exchanged: the mask compares rows with columns
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int row = blockIdx.y * 32 + i;
    const bool mask = row < columns && column < rows;
    if (!mask) continue;
    y[row * columns + column] = x[row * columns + column] + u[row] * v[column];  // expect: out-of-bounds
  }

//= row_in_the_tile: u is indexed with the row inside the tile
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int row = blockIdx.y * 32 + i;
    if (row >= rows || column >= columns) continue;
    y[row * columns + column] = x[row * columns + column] + u[i] * v[column];  // expect: wrong result
  }

//= step_of_the_block: the rows are stepped through by 16, half of them are left out
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 16) {  // expect: wrong result
    const int row = blockIdx.y * 32 + i;
    if (row >= rows || column >= columns) continue;
    y[row * columns + column] = x[row * columns + column] + u[row] * v[column];
  }

//= leaves_the_loop: a column outside ends the block's thread, a row outside as well: only the mask is wrong
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int i = 31 - threadIdx.y; i >= 0; i -= 8) {
    const int row = blockIdx.y * 32 + i;
    if (row >= rows || column >= columns) break;  // expect: wrong result
    y[row * columns + column] = x[row * columns + column] + u[row] * v[column];
  }

//= along_the_columns: right, but neighbouring threads take neighbouring rows
  const int row = blockIdx.y * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int column = blockIdx.x * 32 + i;
    if (row >= rows || column >= columns) continue;
    const float old = x[row * columns + column];  // expect: gate sectors
    y[row * columns + column] = old + u[row] * v[column];
  }

//= every_row_of_threads: right, but all eight rows of threads do all 32 rows
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int i = 0; i < 32; ++i) {
    const int row = blockIdx.y * 32 + i;
    if (row >= rows || column >= columns) continue;
    y[row * columns + column] = x[row * columns + column] + u[row] * v[column];  // expect: gate sectors
  }

//= one_block: right, but the first block does everything
  if (blockIdx.x > 0 || blockIdx.y > 0) return;
  for (int row = threadIdx.y; row < rows; row += 8) {
    for (int column = threadIdx.x; column < columns; column += 32) {
      const int i = row * columns + column;
      y[i] = x[i] + u[row] * v[column];  // expect: gate threads
    }
  }
