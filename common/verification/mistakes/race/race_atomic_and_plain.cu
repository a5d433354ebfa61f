// Some threads add atomically while another reads plainly.
__global__ void count(int* out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  atomicAdd(&n, 1);
  if (threadIdx.x == 40) *out = n;  // expect: race
}

int main() {
  int* out;
  cudaMalloc(&out, 4);
  count<<<1, 64>>>(out);
  cudaDeviceSynchronize();
}
