// Access is enabled on the device that has the memory, not on the one that reads it.
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
  cudaDeviceEnablePeerAccess(1, 0);
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  cudaMalloc(&y, n * sizeof(float));
  add_one<<<(n + 127) / 128, 128>>>(y, x, n);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
