// A switch without a case for the value ends in __trap.
#include <cstdio>

__global__ void decode(const int* in, int* out) {
  switch (in[threadIdx.x]) {
    case 0:
      out[threadIdx.x] = 10;
      break;
    case 1:
      out[threadIdx.x] = 20;
      break;
    default:
      __trap();  // expect: trap
  }
}

int main() {
  int host[4] = {0, 1, 2, 1}, *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  decode<<<1, 4>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%s\n", cudaGetErrorName(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost)));
}
