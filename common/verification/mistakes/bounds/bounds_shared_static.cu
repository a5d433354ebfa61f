// The halo of the tile was forgotten in its size.
__global__ void blur(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[t] + tile[t + 1];  // expect: out-of-bounds
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 256);
  cudaMalloc(&out, 256);
  cudaMemset(in, 0, 256);
  blur<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
}
