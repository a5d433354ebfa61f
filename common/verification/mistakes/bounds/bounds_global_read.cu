// A stencil reads one element past its input.
__global__ void differences(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 1] - in[i];  // expect: out-of-bounds
}

int main() {
  const int n = 512;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  differences<<<2, 256>>>(in, out, n);
  cudaDeviceSynchronize();
}
