// Exercise 01_pinned: an array through the device, with one wait.
//
//   y[i] = a * x[i] + b
//
// x and y are pageable memory, as from new or std::vector. A copy engine cannot read that by
// itself. Put page-locked memory between them and the device, and let the host wait once.
//
// Build and check it: ./learn run ch09/01. The main below is for you: the check does not call it;
//   ./learn sim exercises/ch09_streams_and_graphs/01_pinned.cu
#include <cstdio>
#include <cstring>

// One thread for each element; blocks of any size, at least n threads in all.
__global__ void line(const float* x, float* y, int n, float a, float b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + b;
}

// x, y: n floats each, in pageable host memory; n is at least 1.
void line_on_device(const float* x, float* y, int n, float a, float b) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}

int main() {
  const float x[3] = {1, 2, 3};
  float y[3] = {};
  line_on_device(x, y, 3, 2, 1);
  std::printf("%g %g %g\n", y[0], y[1], y[2]);
}
