// Exercise 06_private_counts: how often each of 8 symbols occurs in each row.
//
//   y[symbol * rows + row] = how many of the row's numbers are this symbol
//
// x: length * rows bytes from 0 to 7, stored column by column: number k of a row is x[k * rows +
// row]. y: 8 * rows floats. One thread takes one row: blockDim = 128, gridDim = rows / 128, rounded
// up. Build and check it: ./learn run ch02/06
__global__ void private_counts(const unsigned char* x, float* y, int rows, int length) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
