// Bytes of a message are read as words wherever they begin.
#include <cstdio>

__global__ void parse(int* out) {
  __shared__ char message[64];
  for (int i = threadIdx.x; i < 64; i += blockDim.x) message[i] = (char)i;
  __syncthreads();
  out[threadIdx.x] = *(int*)(message + threadIdx.x * 3);  // expect: misaligned
}

int main() {
  int* out;
  cudaMalloc(&out, 64);
  parse<<<1, 16>>>(out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
