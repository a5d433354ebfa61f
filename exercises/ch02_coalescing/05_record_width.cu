// Exercise 05_record_width: the value of each record, negated where its time is odd.
//
//   y[i] = record i's time is odd ? -value : value
//
// A record is 8 bytes: `unsigned time`, then `float value`. words: n records in device memory, the
// first one at a multiple of 256 bytes. y: n floats. One thread takes one record: blockDim = 256,
// gridDim = n / 256, rounded up. Build and check it: ./learn run ch02/05
__global__ void record_values(const unsigned* words, float* y, int n) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
