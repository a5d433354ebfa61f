// Typical wrong answers to 09_two_accumulators. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= one_chain: the usual loop, one sum
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0;
  for (int row = 0; row < rows; ++row) {
    sum += w[row] * x[static_cast<size_t>(row) * columns + column];  // expect: wrong result
  }
  y[column] = sum;

//= unrolled_one_chain: two rows a turn, but still one sum
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0;
  int row = 0;
  for (; row + 1 < rows; row += 2) {
    sum += w[row] * x[static_cast<size_t>(row) * columns + column];  // expect: wrong result
    sum += w[row + 1] * x[static_cast<size_t>(row + 1) * columns + column];
  }
  if (row < rows) sum += w[row] * x[static_cast<size_t>(row) * columns + column];
  y[column] = sum;

//= pairs_first: the two products are added to each other before the sum: one chain again
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0;
  int row = 0;
  for (; row + 1 < rows; row += 2) {
    const size_t at = static_cast<size_t>(row) * columns + column;
    sum += w[row] * x[at] + w[row + 1] * x[at + columns];  // expect: wrong result
  }
  if (row < rows) sum += w[row] * x[static_cast<size_t>(row) * columns + column];
  y[column] = sum;

//= in_double: one sum with more bits instead of two sums
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  double sum = 0;
  for (int row = 0; row < rows; ++row) {
    sum += w[row] * x[static_cast<size_t>(row) * columns + column];  // expect: wrong result
  }
  y[column] = static_cast<float>(sum);

//= compensated: one sum that carries its rounding error along, still one chain
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0, lost = 0;
  for (int row = 0; row < rows; ++row) {
    const float next = w[row] * x[static_cast<size_t>(row) * columns + column] - lost;
    const float total = sum + next;  // expect: wrong result
    lost = (total - sum) - next;
    sum = total;
  }
  y[column] = sum;

//= halves: the upper half of the rows in one sum and the lower half in the other
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float upper = 0, lower = 0;
  const int half = rows / 2;
  for (int row = 0; row < half; ++row) {
    upper += w[row] * x[static_cast<size_t>(row) * columns + column];  // expect: wrong result
  }
  for (int row = half; row < rows; ++row) {
    lower += w[row] * x[static_cast<size_t>(row) * columns + column];
  }
  y[column] = upper + lower;

//= past_the_end: with an odd number of rows the last turn takes a row that does not exist
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float even = 0, odd = 0;
  for (int row = 0; row < rows; row += 2) {
    even += w[row] * x[static_cast<size_t>(row) * columns + column];
    odd += w[row + 1] * x[static_cast<size_t>(row + 1) * columns + column];  // expect: out-of-bounds
  }
  y[column] = even + odd;

//= last_row: with an odd number of rows the last one is left out
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float even = 0, odd = 0;
  for (int row = 0; row + 1 < rows; row += 2) {  // expect: wrong result
    even += w[row] * x[static_cast<size_t>(row) * columns + column];
    odd += w[row + 1] * x[static_cast<size_t>(row + 1) * columns + column];
  }
  y[column] = even + odd;

//= same_rows: both sums take the even rows
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float even = 0, odd = 0;
  int row = 0;
  for (; row + 1 < rows; row += 2) {
    even += w[row] * x[static_cast<size_t>(row) * columns + column];
    odd += w[row] * x[static_cast<size_t>(row) * columns + column];  // expect: wrong result
  }
  if (row < rows) even += w[row] * x[static_cast<size_t>(row) * columns + column];
  y[column] = even + odd;

//= forgotten: the second sum is not added at the end
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float even = 0, odd = 0;
  int row = 0;
  for (; row + 1 < rows; row += 2) {
    even += w[row] * x[static_cast<size_t>(row) * columns + column];
    odd += w[row + 1] * x[static_cast<size_t>(row + 1) * columns + column];
  }
  if (row < rows) even += w[row] * x[static_cast<size_t>(row) * columns + column];
  y[column] = even;  // expect: wrong result

//= no_guard: the last block has threads without a column
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  float even = 0, odd = 0;
  int row = 0;
  for (; row + 1 < rows; row += 2) {
    even += w[row] * x[static_cast<size_t>(row) * columns + column];
    odd += w[row + 1] * x[static_cast<size_t>(row + 1) * columns + column];
  }
  if (row < rows) {
    even += w[row] * x[static_cast<size_t>(row) * columns + column];  // expect: out-of-bounds
  }
  y[column] = even + odd;

//= column_major: rows and columns are mistaken for each other
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float even = 0, odd = 0;
  int row = 0;
  for (; row + 1 < rows; row += 2) {
    even += w[row] * x[static_cast<size_t>(column) * rows + row];  // expect: wrong result
    odd += w[row + 1] * x[static_cast<size_t>(column) * rows + row + 1];
  }
  if (row < rows) even += w[row] * x[static_cast<size_t>(column) * rows + row];
  y[column] = even + odd;

//= four_chains: not what was asked for, and right: four sums, by row modulo 4
  const int column = blockIdx.x * blockDim.x + threadIdx.x;  // expect: pass
  if (column >= columns) return;
  float sum[4] = {};
  for (int row = 0; row < rows; ++row) {
    sum[row % 4] += w[row] * x[static_cast<size_t>(row) * columns + column];
  }
  y[column] = (sum[0] + sum[2]) + (sum[1] + sum[3]);

//= no_start: the sums begin with whatever is in their registers
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float even, odd;
  int row = 0;
  for (; row + 1 < rows; row += 2) {
    even += w[row] * x[static_cast<size_t>(row) * columns + column];
    odd += w[row + 1] * x[static_cast<size_t>(row + 1) * columns + column];  // expect: uninitialized
  }
  if (row < rows) even += w[row] * x[static_cast<size_t>(row) * columns + column];
  y[column] = even + odd;

//= two_loops: right, and two sums, but one after the other: each waits for itself all the same
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float even = 0, odd = 0;
  for (int row = 0; row < rows; row += 2) {
    even += w[row] * x[static_cast<size_t>(row) * columns + column];
  }
  for (int row = 1; row < rows; row += 2) {
    odd += w[row] * x[static_cast<size_t>(row) * columns + column];
  }
  y[column] = even + odd;  // expect: gate order
