// Exercise 06_stream_memory: temporary arrays that come and go in stream order.
//
//   y[i] = (x[i] * x[i] + 1) / 2,   in pieces over several streams
//
// Each piece needs a temporary array between its two kernels. cudaMalloc and cudaFree would hold up
// all streams; a stream can allocate and free for itself.
//
// Build and check it: ./learn run ch09/06. The main below is for you: the check does not call it;
//   ./learn sim exercises/ch09_streams_and_graphs/06_stream_memory.cu
#include <algorithm>
#include <cstdio>
#include <vector>

// squares[i] = x[i] * x[i], one thread for each of n elements.
__global__ void square(const float* x, float* squares, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) squares[i] = x[i] * x[i];
}

// y[i] = (squares[i] + 1) / 2, one thread for each of n elements.
__global__ void halve(const float* squares, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (squares[i] + 1) / 2;
}

// Issues both kernels for one piece into the stream, with a temporary array of n floats between
// them, which is free again after them. x, y: n floats each, on the device. The host does not
// wait.
void issue_piece(const float* x, float* y, int n, cudaStream_t stream) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}

// x, y: n floats each, in host memory; n, pieces and streams are at least 1.
void half_squares(const float* x, float* y, int n, int pieces, int stream_count) {
  const size_t bytes = n * sizeof(float);
  const int length = (n + pieces - 1) / pieces;
  float *device_x, *device_y;
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice);
  std::vector<cudaStream_t> streams(stream_count);
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  for (int p = 0; p * length < n; ++p) {
    const int first = p * length;
    issue_piece(device_x + first, device_y + first, std::min(length, n - first),
                streams[p % stream_count]);
  }
  cudaDeviceSynchronize();
  cudaMemcpy(y, device_y, bytes, cudaMemcpyDeviceToHost);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(device_x);
  cudaFree(device_y);
}

int main() {
  const float x[3] = {1, 2, 3};
  float y[3] = {};
  half_squares(x, y, 3, 2, 2);
  std::printf("%g %g %g\n", y[0], y[1], y[2]);
}
