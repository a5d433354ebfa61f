// A kernel of one device waits for a flag that a kernel of another sets, and reads what that has
// written. The waiting kernel is launched first.
// gpus: 2
#include <cstdio>

__global__ void send(int* data, int* flag, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = 3 * i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    atomicExch_system(flag, 1);
  }
}

__global__ void receive(const int* data, int* flag, int* sum, int n) {
  if (threadIdx.x == 0) {
    while (atomicAdd_system(flag, 0) == 0) {
    }
    __threadfence_system();
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(sum, data[i]);
}

int main() {
  const int n = 1001;
  int *data, *flag, *sum, host = 0;
  cudaSetDevice(0);
  const bool has_access = cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess;
  cudaSetDevice(1);
  cudaMalloc(&data, n * sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  cudaDeviceSynchronize();
  receive<<<1, 128>>>(data, flag, sum, n);
  cudaSetDevice(0);
  send<<<1, 96>>>(data, flag, n);
  cudaSetDevice(1);
  cudaMemcpy(&host, sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaSetDevice(0);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
  cudaFree(sum);
  const int want = 3 * n * (n - 1) / 2;
  std::printf("%d of %d\n", host, want);
  return has_access && host == want ? 0 : 1;
}
