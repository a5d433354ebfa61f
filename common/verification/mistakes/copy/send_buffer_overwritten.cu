// A device overwrites what another is still copying: no event tells it that the copy is done.
// gpus: 2
__global__ void fill(int* x, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

int main() {
  const int n = 300, blocks = (n + 127) / 128;
  int *x, *y;
  cudaEvent_t filled;
  cudaSetDevice(1);
  cudaMalloc(&y, n * sizeof(int));
  cudaSetDevice(0);
  cudaMalloc(&x, n * sizeof(int));
  cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
  fill<<<blocks, 128>>>(x, n, 1);
  cudaEventRecord(filled, nullptr);
  cudaSetDevice(1);
  cudaStreamWaitEvent(nullptr, filled, 0);
  cudaMemcpyPeerAsync(y, 1, x, 0, n * sizeof(int), nullptr);  // expect: race
  cudaSetDevice(0);
  fill<<<blocks, 128>>>(x, n, 2);
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaDeviceSynchronize();
  }
  cudaEventDestroy(filled);
  cudaFree(x);
  cudaFree(y);
}
