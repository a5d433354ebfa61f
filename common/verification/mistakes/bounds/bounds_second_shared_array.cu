// Two arrays share the dynamic shared memory, and the launch asks for the bytes of one.
__global__ void both(float* out) {
  extern __shared__ float memory[];
  float *a = memory, *b = memory + blockDim.x;
  a[threadIdx.x] = 1;
  b[threadIdx.x] = 2;  // expect: out-of-bounds
  __syncthreads();
  out[threadIdx.x] = a[threadIdx.x] + b[blockDim.x - 1 - threadIdx.x];
}

int main() {
  const int n = 256;
  float* out;
  cudaMalloc(&out, n * sizeof(float));
  both<<<1, n, 2 * n * sizeof(float)>>>(out);
  both<<<1, n, n * sizeof(float)>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
