// A kernel launches another and reads its result at once, as if it had waited for it.
// Built with -rdc=true.
#include <cstdio>

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

__global__ void sum_of_squares(float* x, int n, float* sum) {
  if (threadIdx.x == 0) square<<<(n + 127) / 128, 128>>>(x, n);
  __syncthreads();
  float mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += x[i];  // expect: race
  atomicAdd(sum, mine);
}

// Right: what comes after the child is a kernel of its own, and what comes before is in front.
__global__ void add_up(const float* x, int n, float* sum) {
  float mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += x[i];
  atomicAdd(sum, mine);
}

__global__ void sum_of_squares_in_order(float* x, int n, float* sum) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] += 1;
  __syncthreads();
  if (threadIdx.x != 0) return;
  square<<<(n + 127) / 128, 128>>>(x, n);
  *sum = 0;
  add_up<<<1, 64, 0, cudaStreamTailLaunch>>>(x, n, sum);
}

int main() {
  const int n = 300;
  float *x, *sum;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaMemset(sum, 0, sizeof(float));
  sum_of_squares_in_order<<<1, 64>>>(x, n, sum);
  sum_of_squares<<<1, 64>>>(x, n, sum);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(sum);
}
