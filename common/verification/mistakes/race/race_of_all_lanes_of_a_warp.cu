// Each lane stores its part of the scan, and the index is that of the warp: one place for all.
__global__ void scan(int* x) {
  __shared__ int sums[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  sums[lane] = x[lane];
  __syncwarp();
  int sum = sums[lane];
  for (int i = 1; i < 32; i *= 2) {
    const int left = __shfl_up_sync(~0u, sum, i);
    if (lane >= i) sum += left;
  }
  sums[warp] = sum;  // expect: race
  __syncwarp();
  x[lane] = sums[lane];
}

int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMemset(x, 1, 32 * sizeof(int));
  scan<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
