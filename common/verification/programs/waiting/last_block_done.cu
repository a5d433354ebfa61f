// The last block to finish adds what all blocks left, and resets the counter that showed it; the
// kernel runs three times. A managed variable counts the launches.
#include <cstdio>
#include <vector>

constexpr int block_threads = 128;
__device__ unsigned finished = 0;
__managed__ int launches = 0;

__device__ int block_sum(int value) {
  __shared__ int sums[block_threads];
  sums[threadIdx.x] = value;
  for (int half = block_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  __syncthreads();
  const int sum = sums[0];
  __syncthreads();
  return sum;
}

__global__ void sum_all(const int* values, int count, volatile int* partial, int* total) {
  __shared__ bool is_last;
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    own += values[i];
  const int of_block = block_sum(own);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = of_block;
    __threadfence();
    is_last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  int rest = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) rest += partial[i];
  const int sum = block_sum(rest);
  if (threadIdx.x == 0) {
    *total = sum;
    finished = 0;
    ++launches;
  }
}

int main() {
  const int count = 54321, blocks = 37;
  std::vector<int> host(count);
  for (int i = 0; i < count; ++i) host[i] = i % 101 - 30;
  int *values, *partial, *total;
  cudaMalloc(&values, count * sizeof(int));
  cudaMalloc(&partial, blocks * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(values, host.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  for (int run = 0; run < 3; ++run) {
    sum_all<<<blocks, block_threads>>>(values, count - 1000 * run, partial, total);
    int sum = 0;
    cudaMemcpy(&sum, total, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", sum);
  }
  std::printf("%d launches, %s\n", launches, cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(values);
  cudaFree(partial);
  cudaFree(total);
}
