// The last thread leaves the address of a local variable in global memory for the next kernel.
__device__ const float* shared_table;

__global__ void smooth(const float* in, float* out) {
  float table[8];
  for (int i = 0; i < 8; ++i) table[i] = in[i] / 2;
  if (blockIdx.x == 3 && threadIdx.x == 31) shared_table = table;
  out[blockIdx.x * blockDim.x + threadIdx.x] = table[threadIdx.x % 8];
}

__global__ void weigh(const float* in, float* out) {
  float own[16];
  for (int i = 0; i < 16; ++i) own[i] = in[i];
  const int t = threadIdx.x;
  out[blockIdx.x * blockDim.x + t] = shared_table[t % 8] + own[t % 16];  // expect: out-of-bounds
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64);
  cudaMalloc(&out, 512);
  cudaMemset(in, 0, 64);
  smooth<<<4, 32>>>(in, out);
  weigh<<<4, 32>>>(in, out);
  cudaDeviceSynchronize();
}
