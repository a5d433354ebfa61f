// The host reads memory of its own, pinned by cudaHostRegister, that a copy may still be filling.
// It may use what it has waited for, and what is next to the copy.
#include <cstdlib>
#include <cstring>

__global__ void count(int* x) { x[threadIdx.x] = threadIdx.x; }

int main() {
  constexpr std::size_t bytes = 1 << 16;
  auto* host = static_cast<int*>(aligned_alloc(4096, bytes));
  std::memset(host, 0, bytes);
  int* device;
  cudaMalloc(&device, 128);
  cudaHostRegister(host, bytes, cudaHostRegisterDefault);
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    count<<<1, 32>>>(device);
    cudaMemcpyAsync(host, device, 128, cudaMemcpyDeviceToHost, 0);
    host[32 + round] = host[4096];
    cudaStreamSynchronize(0);
    sum += host[5];
  }
  count<<<1, 32>>>(device);
  cudaMemcpyAsync(host, device, 128, cudaMemcpyDeviceToHost, 0);
  sum += host[6];  // expect: missing-sync
  cudaDeviceSynchronize();
  cudaHostUnregister(host);
  cudaFree(device);
  std::free(host);
  return sum == 0;
}
