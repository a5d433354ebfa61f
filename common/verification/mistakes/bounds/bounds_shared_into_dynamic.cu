// The kernel declares no dynamic array, yet the launch asks for the bytes: the neighbour that the
// last thread has not got is the first of them.
__global__ void differences(const float* in, float* out) {
  __shared__ float tile[128];
  const unsigned i = threadIdx.x;
  tile[i] = in[i];
  __syncthreads();
  out[i] = tile[i + 1] - tile[i];  // expect: out-of-bounds
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 512);
  cudaMalloc(&out, 512);
  cudaMemset(in, 0, 512);
  differences<<<1, 128, 1024>>>(in, out);
  cudaDeviceSynchronize();
}
