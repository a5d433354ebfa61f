// Typical wrong answers to 08_product. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= weights_by_columns: w is read as inner x columns, as the chapter has it
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = bias[column];
  for (int i = 0; i < inner; ++i) {
    sum += x[row * inner + i] * w[i * columns + column];  // expect: wrong result
  }
  y[row * columns + column] = sum;

//= no_guard: threads beyond the edges read what is not there
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int i = 0; i < inner; ++i) {
    sum += x[row * inner + i] * w[column * inner + i];  // expect: out-of-bounds
  }
  y[row * columns + column] = sum + bias[column];

//= guard_with_and: the guard stops only threads that are outside in both directions
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows && column >= columns) return;
  float sum = bias[column];  // expect: out-of-bounds
  for (int i = 0; i < inner; ++i) sum += x[row * inner + i] * w[column * inner + i];
  y[row * columns + column] = sum;

//= axes_exchanged: x is taken for rows: the grid is cut for the other extents
  const int row = blockIdx.x * blockDim.x + threadIdx.x;  // expect: wrong result
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = bias[column];
  for (int i = 0; i < inner; ++i) sum += x[row * inner + i] * w[column * inner + i];
  y[row * columns + column] = sum;

//= no_bias: the bias is forgotten
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = 0;  // expect: wrong result
  for (int i = 0; i < inner; ++i) sum += x[row * inner + i] * w[column * inner + i];
  y[row * columns + column] = sum;

//= bias_each_time: the bias is added in every turn of the loop
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int i = 0; i < inner; ++i) {
    sum += x[row * inner + i] * w[column * inner + i] + bias[column];  // expect: wrong result
  }
  y[row * columns + column] = sum;

//= bias_of_the_row: each row gets a bias, not each column
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = row < columns ? bias[row] : 0.0F;  // expect: wrong result
  for (int i = 0; i < inner; ++i) sum += x[row * inner + i] * w[column * inner + i];
  y[row * columns + column] = sum;

//= adds_to_the_output: the sum begins with what y holds
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  for (int i = 0; i < inner; ++i) {
    y[row * columns + column] += x[row * inner + i] * w[column * inner + i];  // expect: uninitialized
  }
  y[row * columns + column] += bias[column];

//= too_many_products: the loop has the extent of the output
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = bias[column];
  for (int i = 0; i < columns; ++i) {
    sum += x[row * inner + i] * w[column * inner + i];  // expect: out-of-bounds
  }
  y[row * columns + column] = sum;

//= wrong_row_length: a row of x is taken to be as long as one of y
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = bias[column];
  for (int i = 0; i < inner; ++i) {
    sum += x[row * columns + i] * w[column * inner + i];  // expect: out-of-bounds
  }
  y[row * columns + column] = sum;

//= whole_numbers: the sum is an int and loses every fraction
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  int sum = bias[column];  // expect: wrong result
  for (int i = 0; i < inner; ++i) sum += x[row * inner + i] * w[column * inner + i];
  y[row * columns + column] = sum;

//= one_column: right, but one thread in each row of threads does all columns
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column > 0 || row >= rows) return;
  for (int c = 0; c < columns; ++c) {
    float sum = bias[c];
    for (int i = 0; i < inner; ++i) sum += x[row * inner + i] * w[c * inner + i];
    y[row * columns + c] = sum;  // expect: gate stores
  }

//= no_start: the sum begins with whatever is in its register
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum;
  for (int i = 0; i < inner; ++i) {
    sum += x[row * inner + i] * w[column * inner + i];  // expect: uninitialized
  }
  y[row * columns + column] = sum + bias[column];

//= one_block: right, but the first block does everything
  if (blockIdx.x > 0 || blockIdx.y > 0) return;
  for (int row = threadIdx.y; row < rows; row += 8) {
    for (int column = threadIdx.x; column < columns; column += 16) {
      float sum = bias[column];
      for (int i = 0; i < inner; ++i) sum += x[row * inner + i] * w[column * inner + i];
      y[row * columns + column] = sum;  // expect: gate threads
    }
  }

//= adds_by_atomics: right, but each product is an atomic addition to memory
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  y[row * columns + column] = bias[column];
  for (int i = 0; i < inner; ++i) {
    atomicAdd(&y[row * columns + column], x[row * inner + i] * w[column * inner + i]);  // expect: gate updates
  }

//= at_most_128: the loop has room for 128 products
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = bias[column];
  for (int i = 0; i < min(inner, 128); ++i) sum += x[row * inner + i] * w[column * inner + i];
  y[row * columns + column] = sum;  // expect: wrong result
