// A stream waits for an event before another stream has recorded it: it waits for nothing. Right is
// the other order.
#include <cstdio>

__global__ void twice(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];  // expect: race
}

int main() {
  const int n = 1000, bytes = n * sizeof(float);
  float *host, *x[2], *y;
  cudaMallocHost(&host, bytes);
  for (int i = 0; i < n; ++i) host[i] = float(i);
  for (float*& each : x) cudaMalloc(&each, bytes);
  cudaMalloc(&y, bytes);
  cudaStream_t copies, work;
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
  cudaEvent_t there[2];
  for (cudaEvent_t& each : there) cudaEventCreateWithFlags(&each, cudaEventDisableTiming);

  cudaMemcpyAsync(x[0], host, bytes, cudaMemcpyHostToDevice, copies);
  cudaEventRecord(there[0], copies);
  cudaStreamWaitEvent(work, there[0]);
  twice<<<4, 256, 0, work>>>(x[0], y, n);

  cudaStreamWaitEvent(work, there[1]);
  cudaMemcpyAsync(x[1], host, bytes, cudaMemcpyHostToDevice, copies);
  cudaEventRecord(there[1], copies);
  twice<<<4, 256, 0, work>>>(x[1], y, n);
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
