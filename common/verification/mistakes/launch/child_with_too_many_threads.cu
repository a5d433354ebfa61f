// A kernel asks for blocks that no GPU has, and does not look at what came of it.
// Built with -rdc=true.
#include <cstdio>

__global__ void count(int* counter) { atomicAdd(counter, 1); }

__global__ void ask(int* counter, int threads) {
  count<<<1, threads>>>(counter);  // expect: launch-configuration
}

int main() {
  int *counter, host = -1;
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  ask<<<1, 1>>>(counter, 1024);
  ask<<<1, 1>>>(counter, 2048);
  cudaMemcpy(&host, counter, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", host);
  cudaFree(counter);
}
