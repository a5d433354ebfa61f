// Kernels of two devices add to one number at a time. atomicAdd is atomic for its own device.
// gpus: 2
__global__ void count(int* sum) {
  atomicAdd(sum, 1);  // expect: race
}

// Right: atomic for the whole system.
__global__ void count_for_all(int* sum) { atomicAdd_system(sum, 1); }

int main() {
  int *sum, *sum_of_all, host = 0;
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  cudaSetDevice(0);
  cudaMalloc(&sum, sizeof(int));
  cudaMalloc(&sum_of_all, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  cudaMemset(sum_of_all, 0, sizeof(int));
  cudaDeviceSynchronize();
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    count<<<2, 64>>>(sum);
    count_for_all<<<2, 64>>>(sum_of_all);
  }
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaDeviceSynchronize();
  }
  cudaMemcpy(&host, sum_of_all, sizeof(int), cudaMemcpyDefault);
  cudaFree(sum);
  cudaFree(sum_of_all);
  return host == 256 ? 0 : 1;
}
