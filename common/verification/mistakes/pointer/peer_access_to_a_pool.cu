// Peer access is enabled, and the array comes from a pool, which has an access of its own.
// gpus: 2
__global__ void add_one(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;  // expect: peer-access
}

int main() {
  const int n = 500;
  float* x;
  cudaSetDevice(1);
  cudaMallocAsync(&x, n * sizeof(float), nullptr);
  cudaMemsetAsync(x, 0, n * sizeof(float), nullptr);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  cudaDeviceEnablePeerAccess(1, 0);
  add_one<<<(n + 127) / 128, 128>>>(x, n);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
