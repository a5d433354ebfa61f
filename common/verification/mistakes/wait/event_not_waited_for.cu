// The time between two events is asked for before the second one has happened. The time is then
// what it was before: zero.
#include <cstdio>

__global__ void fill(int* x, int value) { x[threadIdx.x] = value; }

int main() {
  int* x;
  cudaEvent_t begin, end;
  float ms = 0;
  cudaMalloc(&x, 256 * sizeof(int));
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  fill<<<1, 256>>>(x, 1);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  cudaEventElapsedTime(&ms, begin, end);

  cudaEventRecord(begin);
  fill<<<1, 256>>>(x, 2);
  cudaEventRecord(end);
  cudaEventElapsedTime(&ms, begin, end);  // expect: missing-sync
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaFree(x);
}
