// Kernels that read and write the memory of other devices, one host thread for each device: memory
// of cudaMalloc by peer access, memory of a pool by access to the pool.
// gpus: 3
#include <cstdio>
#include <thread>
#include <vector>

__device__ int scale;

__global__ void fill(int* x, int n, int device) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 10 * i + device;
}

__global__ void sum_of_all(const int* const* x, int devices, int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int d = 0; d < devices; ++d) sum += x[d][i];
  sums[i] = scale * sum;
}

__global__ void write_to_neighbour(int* theirs, int n, int device) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) theirs[i] = 1000 * device + i;
}

int wrong = 0;

void expect(bool right, const char* what) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  ++wrong;
}

int main() {
  const int n = 777, blocks = (n + 127) / 128;
  int devices = 0;
  cudaGetDeviceCount(&devices);
  std::vector<int*> x(devices);
  std::vector<std::thread> threads;
  for (int d = 0; d < devices; ++d)
    threads.emplace_back([&, d] {
      int current = -1;
      cudaGetDevice(&current);
      expect(current == 0, "a thread begins with device 0");
      cudaSetDevice(d);
      for (int other = 0; other < devices; ++other)
        if (other != d) cudaDeviceEnablePeerAccess(other, 0);
      const int factor = d + 1;
      cudaMemcpyToSymbol(scale, &factor, sizeof factor);
      cudaMalloc(&x[d], n * sizeof(int));
      fill<<<blocks, 128>>>(x[d], n, d);
      cudaDeviceSynchronize();
    });
  for (std::thread& one : threads) one.join();
  threads.clear();

  std::vector<std::vector<int>> sums(devices, std::vector<int>(n));
  for (int d = 0; d < devices; ++d)
    threads.emplace_back([&, d] {
      cudaSetDevice(d);
      const int** all;
      int* result;
      cudaMalloc(&all, devices * sizeof(int*));
      cudaMalloc(&result, n * sizeof(int));
      cudaMemcpy(all, x.data(), devices * sizeof(int*), cudaMemcpyHostToDevice);
      sum_of_all<<<blocks, 128>>>(all, devices, result, n);
      cudaMemcpy(sums[d].data(), result, n * sizeof(int), cudaMemcpyDeviceToHost);
      cudaFree(all);
      cudaFree(result);
    });
  for (std::thread& one : threads) one.join();
  for (int d = 0; d < devices; ++d)
    for (int i = 0; i < n; ++i)
      expect(sums[d][i] == (d + 1) * (devices * 10 * i + devices * (devices - 1) / 2), "a sum");

  // Memory of device 1's pool, which device 0 may use.
  cudaSetDevice(1);
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 1);
  cudaMemAccessDesc access = {};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = 0;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  int* pooled;
  cudaMallocAsync(&pooled, n * sizeof(int), nullptr);
  cudaMemPoolSetAccess(pool, &access, 1);
  cudaDeviceSynchronize();
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, pooled);
  expect(attributes.device == 1, "the owner of pool memory");
  cudaSetDevice(0);
  write_to_neighbour<<<blocks, 128>>>(pooled, n, 7);
  std::vector<int> host(n);
  cudaMemcpy(host.data(), pooled, n * sizeof(int), cudaMemcpyDefault);
  for (int i = 0; i < n; ++i) expect(host[i] == 7000 + i, "a value written to a pool");
  cudaSetDevice(1);
  cudaFreeAsync(pooled, nullptr);
  cudaDeviceSynchronize();
  for (int d = 0; d < devices; ++d) cudaFree(x[d]);
  std::printf("%d devices, %d wrong\n", devices, wrong);
  return wrong == 0 && devices > 1 ? 0 : 1;
}
