// All of the weights are copied, but not to their beginning.
__constant__ float weights[16];

__global__ void scale(float* x) { x[threadIdx.x] *= weights[threadIdx.x]; }

int main() {
  const float host[16] = {};
  float* x;
  cudaMalloc(&x, 64);
  cudaMemset(x, 0, 64);
  cudaMemcpyToSymbol(weights, host, sizeof host, 4);  // expect: invalid-copy
  scale<<<1, 16>>>(x);
  cudaDeviceSynchronize();
}
