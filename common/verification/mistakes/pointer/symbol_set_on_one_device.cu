// Each device has the variable for itself, and the host sets that of device 0 alone.
// gpus: 2
__device__ int counter;
__constant__ float factor;

__global__ void scale(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] *= factor;  // expect: uninitialized
  atomicAdd(&counter, 1);
}

int main() {
  const int n = 100;
  const float twice = 2;
  float* x[2];
  int counted[2];
  cudaSetDevice(0);
  cudaMemcpyToSymbol(factor, &twice, sizeof twice);
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMalloc(&x[device], n * sizeof(float));
    cudaMemset(x[device], 0, n * sizeof(float));
    scale<<<1, 128>>>(x[device], n);
    // Right: what the host has set nowhere begins as zero on each device.
    cudaMemcpyFromSymbol(&counted[device], counter, sizeof(int));
    cudaFree(x[device]);
  }
  return counted[0] == n && counted[1] == n ? 0 : 1;
}
