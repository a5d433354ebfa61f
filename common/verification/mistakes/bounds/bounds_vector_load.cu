// 30 floats do not hold eight float4.
__global__ void sum(const float4* in, float* out) {
  const float4 v = in[threadIdx.x];  // expect: out-of-bounds
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 30 * sizeof(float));
  cudaMalloc(&out, 8 * sizeof(float));
  cudaMemset(in, 0, 30 * sizeof(float));
  sum<<<1, 8>>>((const float4*)in, out);
  cudaDeviceSynchronize();
}
