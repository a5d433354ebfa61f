// libcu++: cuda::atomic and atomic_ref with scopes and orders, semaphores, latches.
#include <cstdio>
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#include <new>

__device__ cuda::atomic<int, cuda::thread_scope_device> total(0);
__device__ cuda::atomic<unsigned long long, cuda::thread_scope_system> wide(1);
__device__ cuda::atomic<int, cuda::thread_scope_device> turn(0);

__global__ void count(int* plain, float* floats) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  total.fetch_add(i, cuda::std::memory_order_relaxed);
  wide.fetch_xor((unsigned long long)i << (i % 40), cuda::std::memory_order_acq_rel);
  cuda::atomic_ref<int, cuda::thread_scope_device> a(plain[0]), b(plain[1]), c(plain[2]),
      d(plain[3]);
  a.fetch_max(i * 13 % 777);
  b.fetch_min(-(i * 17 % 555));
  ++c;
  d.fetch_or(1 << (i % 31), cuda::std::memory_order_relaxed);
  cuda::atomic_ref<float, cuda::thread_scope_device> f(floats[0]);
  f.fetch_add(0.5f, cuda::std::memory_order_relaxed);
  cuda::atomic_ref<float, cuda::thread_scope_device> m(floats[1]);
  float seen = m.load();
  const float mine = (float)(i * 7 % 100);
  while (seen < mine && !m.compare_exchange_weak(seen, mine)) {
  }
}

// Blocks write in the order of their numbers: each waits for its turn.
__global__ void ordered(char* text) {
  if (threadIdx.x != 0) return;
  while (turn.load(cuda::std::memory_order_acquire) != (int)blockIdx.x) {
  }
  text[blockIdx.x] = blockIdx.x ? text[blockIdx.x - 1] + 1 : 'a';
  turn.store(blockIdx.x + 1, cuda::std::memory_order_release);
}

__global__ void wait_and_notify(int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> ready;
  if (threadIdx.x == 0) ready.store(0);
  __syncthreads();
  if (threadIdx.x == 96) {
    out[0] = 123;
    ready.store(1);
    ready.notify_all();
  } else if (threadIdx.x == 0) {
    ready.wait(0);
    out[1] = out[0] + 1;
  }
}

__global__ void limited(int* out) {
  __shared__ alignas(cuda::latch<cuda::thread_scope_block>) char
      done_memory[sizeof(cuda::latch<cuda::thread_scope_block>)];
  __shared__ alignas(cuda::counting_semaphore<cuda::thread_scope_block, 2>) char
      permits_memory[sizeof(cuda::counting_semaphore<cuda::thread_scope_block, 2>)];
  auto& done = *reinterpret_cast<cuda::latch<cuda::thread_scope_block>*>(done_memory);
  auto& permits =
      *reinterpret_cast<cuda::counting_semaphore<cuda::thread_scope_block, 2>*>(permits_memory);
  __shared__ int inside, most, visits;
  if (threadIdx.x == 0) {
    new (permits_memory) cuda::counting_semaphore<cuda::thread_scope_block, 2>(2);
    new (done_memory) cuda::latch<cuda::thread_scope_block>(blockDim.x);
    inside = most = visits = 0;
  }
  __syncthreads();
  permits.acquire();
  const int now = atomicAdd(&inside, 1) + 1;
  atomicMax(&most, now);
  atomicAdd(&visits, 1);
  atomicSub(&inside, 1);
  permits.release();
  done.arrive_and_wait();
  if (threadIdx.x == 0) {
    out[2] = visits;
    out[3] = most <= 2;
  }
}

int main() {
  int* ints;
  float* floats;
  char* text;
  cudaMallocManaged(&ints, 16 * sizeof(int));
  cudaMallocManaged(&floats, 2 * sizeof(float));
  cudaMallocManaged(&text, 27);
  cudaMemset(ints, 0, 64), cudaMemset(floats, 0, 8), cudaMemset(text, 0, 27);
  count<<<10, 100>>>(ints, floats);
  ordered<<<26, 32>>>(text);
  wait_and_notify<<<1, 128>>>(ints + 4);
  limited<<<1, 64>>>(ints + 4);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  int sum;
  unsigned long long word;
  cudaMemcpyFromSymbol(&sum, total, sizeof sum);
  cudaMemcpyFromSymbol(&word, wide, sizeof word);
  printf("%d %llx | %d %d %d %x | %g %g | %s\n", sum, word, ints[0], ints[1], ints[2], ints[3],
         floats[0], floats[1], text);
  printf("%d %d %d %d\n", ints[4], ints[5], ints[6], ints[7]);
  cudaFree(ints), cudaFree(floats), cudaFree(text);
}
