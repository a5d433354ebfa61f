// Exercise 05_new_argument: the same graph, another number each time.
//
//   state[i] = rates[run] * state[i] + x[i],   run after run
//
// The two kernels of a run are a graph. From run to run only one scalar changes. A node holds its
// own copy of that scalar, so that the host has to change it in the instantiated graph.
//
// Build and check it: ./learn run ch09/05. The main below is for you: the check does not call it;
//   ./learn sim exercises/ch09_streams_and_graphs/05_new_argument.cu
#include <cstdio>

// state[i] *= rate. One thread for each of n elements.
__global__ void scale(float* state, float rate, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) state[i] *= rate;
}

// state[i] += x[i]. One thread for each of n elements.
__global__ void add(float* state, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) state[i] += x[i];
}

// Makes `runs` runs, at least 1: scale by rates[run], then add. state and x: n floats each, on the
// device. rates: `runs` floats in host memory. The caller waits for the stream.
void make_runs(float* state, const float* x, int n, const float* rates, int runs,
               cudaStream_t stream) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}

// end: n floats in host memory, for the state after all runs. The state begins with 0.
void leaky_sums(const float* x, float* end, int n, const float* rates, int runs) {
  const size_t bytes = n * sizeof(float);
  float *device_x, *state;
  cudaStream_t stream;
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&state, bytes);
  cudaStreamCreate(&stream);
  cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice);
  cudaMemset(state, 0, bytes);
  make_runs(state, device_x, n, rates, runs, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(end, state, bytes, cudaMemcpyDeviceToHost);
  cudaStreamDestroy(stream);
  cudaFree(device_x);
  cudaFree(state);
}

int main() {
  const float x[2] = {1, 10};
  const float rates[3] = {0.5f, 0.5f, 2};
  float end[2] = {};
  leaky_sums(x, end, 2, rates, 3);
  std::printf("%g %g\n", end[0], end[1]);
}
