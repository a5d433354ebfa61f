// A latch counts a thread that never comes: those that wait for it sleep longer and longer. The
// kernel before it counts right.
#include <cstdio>
#include <cuda/latch>
#include <new>

using Latch = cuda::latch<cuda::thread_scope_block>;

__device__ void begin(Latch& ready, int threads) {
  if (threadIdx.x == 0) new (&ready) Latch(threads);
  __syncthreads();
}

__global__ void mirror(int* x) {
  __shared__ alignas(Latch) char room[sizeof(Latch)];
  Latch& ready = reinterpret_cast<Latch&>(room);
  begin(ready, blockDim.x);
  x[threadIdx.x] = threadIdx.x;
  ready.arrive_and_wait();
  x[threadIdx.x + 64] = x[63 - threadIdx.x];
}

__global__ void mirror_alone(int* x) {
  __shared__ alignas(Latch) char room[sizeof(Latch)];
  Latch& ready = reinterpret_cast<Latch&>(room);
  begin(ready, blockDim.x + 1);
  x[threadIdx.x] = threadIdx.x;
  ready.arrive_and_wait();  // expect: deadlock
  x[threadIdx.x + 64] = x[63 - threadIdx.x];
}

int main() {
  int* x;
  cudaMalloc(&x, 128 * sizeof(int));
  mirror<<<1, 64>>>(x);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  mirror_alone<<<1, 64>>>(x);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
}
