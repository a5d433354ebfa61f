// The default stream of one device is taken to come before that of another, which nothing orders.
// gpus: 2
__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;  // expect: race
}

__global__ void add(int* y, const int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
}

int main() {
  const int n = 300, blocks = (n + 127) / 128;
  int *x, *y;
  cudaSetDevice(0);
  cudaMalloc(&x, n * sizeof(int));
  cudaMemset(x, 0, n * sizeof(int));
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  cudaMalloc(&y, n * sizeof(int));
  cudaMemset(y, 0, n * sizeof(int));
  cudaDeviceEnablePeerAccess(0, 0);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  fill<<<blocks, 128>>>(x, n);
  cudaSetDevice(1);
  add<<<blocks, 128>>>(y, x, n);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  cudaDeviceSynchronize();
  // Right: the host waits for the device that writes.
  fill<<<blocks, 128>>>(x, n);
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  add<<<blocks, 128>>>(y, x, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
