// A float4 has to start at a multiple of 16 bytes.
#include <cstdio>

__global__ void copy(const float* in, float* out) {
  const float4 v = *(const float4*)(in + 1 + threadIdx.x * 4);  // expect: misaligned
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 400);
  cudaMalloc(&out, 64);
  cudaMemset(in, 0, 400);
  copy<<<1, 8>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
