// The host prints a total that it never set. A GPU's fresh managed memory holds zeros, by luck.
#include <cstdio>

__global__ void add(const int* in, int* total) {
  atomicAdd(total, in[threadIdx.x]);  // expect: uninitialized
}

int main() {
  int *in, *total;
  cudaMallocManaged(&in, 128);
  cudaMallocManaged(&total, sizeof *total);
  for (int i = 0; i < 32; ++i) in[i] = i;
  add<<<1, 32>>>(in, total);
  cudaDeviceSynchronize();
  std::printf("%d\n", *total);
  cudaFree(in);
  cudaFree(total);
}
