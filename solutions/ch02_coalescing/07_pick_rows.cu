// Exercise 07_pick_rows: build a matrix from rows of a table, by number.
//
//   y[row][column] = index[row] >= 0 ? table[index[row]][column] : 0
//
// A negative number stands for a missing row, which becomes zeros.
// table: row-major with `columns` columns, index: rows ints, y: rows * columns floats, row-major;
// all in device memory.
//   blockDim = 128, gridDim = rows: one block for each row of y
// Every number of columns must work. Build and check it: ./learn run ch02/07
__global__ void pick_rows(const float* table, const int* index, float* y, [[maybe_unused]] int rows,
                          int columns) {
  // BEGIN YOUR CODE
  const int row = blockIdx.x;
  const int from = index[row];
  float* out = y + static_cast<size_t>(row) * columns;
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    out[column] = from >= 0 ? table[static_cast<size_t>(from) * columns + column] : 0.0F;
  }
  // END YOUR CODE
}
