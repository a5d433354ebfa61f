// Exercise 01_grid_size: how many blocks cover all elements?
//
// A block has `threads` threads, and each thread takes one element. Return the fewest blocks that
// have a thread for every element. For no elements that is no block.
//
// elements: 0 to 2147483647, the largest int. threads: 1 or more.
// Plain C++, no kernel. Build and check it: ./learn run ch01/01
int grid_size(int elements, int threads) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
