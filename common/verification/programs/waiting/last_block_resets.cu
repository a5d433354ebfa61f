// The last block to come adds up what all have left, and sets their counter back: by another thread
// than the one that counted, by all, or by one that has only seen the count.
#include <cstdio>

enum class By { another_thread, all_threads };

constexpr int blocks = 64, threads = 128, warp = 32;

__device__ int sum_of_block(int value) {
  __shared__ int sums[threads / warp];
  for (int distance = warp / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(~0u, value, distance);
  if (threadIdx.x % warp == 0) sums[threadIdx.x / warp] = value;
  __syncthreads();
  int sum = 0;
  for (const int one : sums) sum += one;
  __syncthreads();
  return sum;
}

// The barrier itself tells all threads whether their block is the last.
template <By by>
__global__ void add_up(const int* numbers, int* partial, unsigned* counter, int* sum) {
  const int own = sum_of_block(numbers[blockIdx.x * threads + threadIdx.x]);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = own;
    __threadfence();
  }
  __syncthreads();
  unsigned count = 0;
  if (threadIdx.x == 5) count = atomicAdd(counter, 1u) + 1;
  if (!__syncthreads_or(count == gridDim.x)) return;
  if (by == By::all_threads || threadIdx.x == 77) *counter = 0;
  const int all = sum_of_block(threadIdx.x < blocks ? partial[threadIdx.x] : 0);
  if (threadIdx.x == 0) *sum += all;
}

// One block waits for the others: a thread of it looks at the counter, another one resets it.
__global__ void wait_for_others(const int* numbers, int* partial, unsigned* counter, int* sum) {
  const int own = sum_of_block(numbers[blockIdx.x * threads + threadIdx.x]);
  if (threadIdx.x == 0) partial[blockIdx.x] = own;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(counter, 1u);
  if (blockIdx.x != 0) return;
  if (threadIdx.x == 33) {
    while (*(volatile unsigned*)counter < gridDim.x) continue;
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == 100) *counter = 0;
  const int all = sum_of_block(threadIdx.x < blocks ? partial[threadIdx.x] : 0);
  if (threadIdx.x == 0) *sum += all;
}

int main() {
  int *numbers, *partial, *sum;
  unsigned* counter;
  cudaMallocManaged(&numbers, blocks * threads * sizeof(int));
  cudaMalloc(&partial, blocks * sizeof(int));
  cudaMallocManaged(&counter, sizeof(unsigned));
  cudaMallocManaged(&sum, sizeof(int));
  for (int i = 0; i < blocks * threads; ++i) numbers[i] = i % 1000 - 300;
  const auto report = [&](const char* what) {
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s: %d, counter %u, %s\n", what, *sum, *counter, cudaGetErrorName(error));
    *sum = 0;
  };
  *counter = 0;
  *sum = 0;
  for (int round = 0; round < 3; ++round)
    add_up<By::another_thread><<<blocks, threads>>>(numbers, partial, counter, sum);
  report("another thread");
  for (int round = 0; round < 3; ++round)
    add_up<By::all_threads><<<blocks, threads>>>(numbers, partial, counter, sum);
  report("all threads");
  for (int round = 0; round < 3; ++round)
    wait_for_others<<<blocks, threads>>>(numbers, partial, counter, sum);
  report("after the thread that saw it");
  for (void* memory : {(void*)numbers, (void*)partial, (void*)counter, (void*)sum})
    cudaFree(memory);
}
