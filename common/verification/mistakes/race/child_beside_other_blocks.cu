// Every block writes a word, and the first of them launches a kernel that reads them all: it has
// waited for none of the others.
// Built with -rdc=true.
#include <cooperative_groups.h>

__global__ void add_up(int* x, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  x[n] = sum;
}

__global__ void each_block_a_word(int* x) {
  x[blockIdx.x] = 1;  // expect: race
  if (blockIdx.x == 0) add_up<<<1, 1>>>(x, gridDim.x);
}

__global__ void each_thread_a_word(int* x) {
  x[threadIdx.x] = 1;  // expect: race
  if (threadIdx.x == 0) add_up<<<1, 1>>>(x, blockDim.x);
}

__global__ void copied_by_the_last_block(int* x, int* y) {
  if (blockIdx.x == gridDim.x - 1) cudaMemcpyAsync(y, x, 64, cudaMemcpyDeviceToDevice);
  x[blockIdx.x] = 1;  // expect: race
}

// Right: each its own part, after a barrier; by the last block that is done; after a barrier of the
// grid; by the thread that wrote it; before a barrier of the warp; as the grid's tail.
__global__ void own_part(int* x) {
  const int i = blockIdx.x * (blockDim.x + 1) + threadIdx.x;
  for (int round = 0; round < 3; ++round) x[i] = round;
  __syncthreads();
  if (threadIdx.x == 0) add_up<<<1, 1>>>(x + i, blockDim.x);
}

__global__ void last_block_done(int* x, unsigned* done) {
  __shared__ bool is_last;
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(done, 1) == gridDim.x - 1;
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    *done = 0;
    add_up<<<1, 1>>>(x, gridDim.x * blockDim.x);
  }
}

__global__ void behind_the_grids_barrier(int* x) {
  const auto grid = cooperative_groups::this_grid();
  for (int round = 0; round < 3; ++round) {
    x[grid.thread_rank()] = round;
    grid.sync();
  }
  if (grid.thread_rank() == 70) add_up<<<1, 1>>>(x, grid.size());
}

__global__ void each_thread_its_own(int* x) {
  x[2 * threadIdx.x] = 1;
  add_up<<<1, 1>>>(x + 2 * threadIdx.x, 1);
}

__global__ void a_warp(int* x) {
  x[threadIdx.x] = 1;
  __syncwarp();
  if (threadIdx.x == 0) add_up<<<1, 1>>>(x, 32);
}

__global__ void as_the_tail(int* x) {
  if (blockIdx.x == 0) add_up<<<1, 1, 0, cudaStreamTailLaunch>>>(x, gridDim.x);
  x[blockIdx.x] = 1;
}

__global__ void counted(int* x, unsigned* count) {
  const int part = blockIdx.x * 65;
  x[part + threadIdx.x] = 1;
  atomicAdd(count, 1);
  __syncthreads();
  if (threadIdx.x == 0) add_up<<<1, 1>>>(x + part, 64);
}

int main() {
  int *x, *y;
  unsigned* count;
  cudaMalloc(&x, 4096);
  cudaMalloc(&y, 64);
  cudaMalloc(&count, sizeof(unsigned));
  cudaMemset(x, 0, 4096);
  cudaMemset(count, 0, sizeof(unsigned));
  own_part<<<8, 64>>>(x);
  last_block_done<<<8, 64>>>(x, count);
  void* arguments[] = {&x};
  cudaLaunchCooperativeKernel(behind_the_grids_barrier, 4, 64, arguments);
  each_thread_its_own<<<1, 64>>>(x);
  a_warp<<<1, 32>>>(x);
  as_the_tail<<<16, 1>>>(x);
  counted<<<4, 64>>>(x, count);
  each_block_a_word<<<16, 1>>>(x);
  each_thread_a_word<<<1, 64>>>(x);
  copied_by_the_last_block<<<16, 1>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
  cudaFree(count);
}
