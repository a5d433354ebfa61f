// A kernel reads an array of another device. One address space says where the array is, and gives
// no access.
// gpus: 2
__global__ void add_one(float* y, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 1;  // expect: peer-access
}

int main() {
  const int n = 500;
  float *x, *y;
  cudaSetDevice(0);
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  cudaMalloc(&y, n * sizeof(float));
  add_one<<<(n + 127) / 128, 128>>>(y, x, n);
  const bool failed = cudaDeviceSynchronize() == cudaErrorIllegalAddress;
  // The other device fails from then on as well.
  cudaSetDevice(0);
  return failed && cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
