// Two tiles take turns, and the wait lets two copies go on: the tile that is read may still be
// filled.
#include <cuda_pipeline.h>

__global__ void tiles(const float* x, float* y, int n) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&s[0][t], &x[t], 4);
  __pipeline_commit();
  for (int i = 0; i < n; ++i) {
    const int next = (i + 1) & 1;
    if (i + 1 < n) __pipeline_memcpy_async(&s[next][t], &x[(i + 1) * 64 + t], 4);  // expect: race
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    sum += s[i & 1][63 - t];  // expect: race
    __syncthreads();
  }
  y[t] = sum;
}

int main() {
  float *x, *y, h[512] = {};
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, 256);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyDefault);
  tiles<<<1, 64>>>(x, y, 8);
  cudaMemcpy(h, y, 256, cudaMemcpyDefault);
  cudaFree(x);
  cudaFree(y);
}
