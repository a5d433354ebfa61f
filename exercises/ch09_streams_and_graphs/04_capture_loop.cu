// Exercise 04_capture_loop: a loop of small kernels, captured once.
//
// Each step spreads heat along a bar:   b[i] = a[i] + (left - 2 a[i] + right) / 4
// and then the arrays change places. The kernels are so small that their launches are what costs.
//
// Build and check it: ./learn run ch09/04. The main below is for you: the check does not call it;
//   ./learn sim exercises/ch09_streams_and_graphs/04_capture_loop.cu
#include <cstdio>

// One step for n cells; the ends have one neighbour. One thread for each cell.
__global__ void spread(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = from[i == 0 ? 0 : i - 1];
  const float right = from[i == n - 1 ? i : i + 1];
  to[i] = from[i] + (left - 2 * from[i] + right) / 4;
}

// to[i] += 1 / n: a source that feeds every cell. One thread for each cell.
__global__ void feed(float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += 1.0f / n;
}

// Takes `steps` steps, at least 1; a step is spread, then feed, and its result is where the next
// step begins. a and b: n floats each on the device, the start is in a. Returns where the end is: a
// or b.
float* take_steps(float* a, float* b, int n, int steps, cudaStream_t stream) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}

// bar: n floats in host memory, which hold the start and then the end.
void heat(float* bar, const float* start, int n, int steps) {
  const size_t bytes = n * sizeof(float);
  float *a, *b;
  cudaStream_t stream;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaStreamCreate(&stream);
  cudaMemcpy(a, start, bytes, cudaMemcpyHostToDevice);
  float* end = take_steps(a, b, n, steps, stream);
  cudaStreamSynchronize(stream);
  if (end == a || end == b) cudaMemcpy(bar, end, bytes, cudaMemcpyDeviceToHost);
  cudaStreamDestroy(stream);
  cudaFree(a);
  cudaFree(b);
}

int main() {
  const float start[4] = {0, 8, 0, 0};
  float bar[4] = {};
  heat(bar, start, 4, 3);
  std::printf("%g %g %g %g\n", bar[0], bar[1], bar[2], bar[3]);
}
