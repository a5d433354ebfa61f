// A __device__ array is overrun.
__device__ int table[10];

__global__ void fill(int n) {
  for (int i = threadIdx.x; i <= n; i += blockDim.x) table[i] = i;  // expect: out-of-bounds
}

int main() {
  fill<<<1, 32>>>(10);
  cudaDeviceSynchronize();
}
