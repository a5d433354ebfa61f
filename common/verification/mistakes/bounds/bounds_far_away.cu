// An index computed with a wrong sign goes far outside of all memory.
#include <cstdio>

__global__ void scatter(int* x, const int* index) {
  x[(long long)index[threadIdx.x] * 4000000000ll] = 1;  // expect: out-of-bounds
}

int main() {
  int *x, *index, host[32];
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&x, 128);
  cudaMalloc(&index, 128);
  cudaMemcpy(index, host, sizeof host, cudaMemcpyHostToDevice);
  scatter<<<1, 32>>>(x, index);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
