// Barriers of a block: plain, counting, and/or, named ones for parts of a block, and __syncwarp on
// subsets.
#include <cstdio>

__global__ void predicates(int* out) {
  const int t = threadIdx.x;
  out[t] = __syncthreads_count(t % 5 == 2);
  out[100 + t] = __syncthreads_and(t < 100);
  out[200 + t] = __syncthreads_and(t < 99);
  out[300 + t] = __syncthreads_or(t == 63);
  out[400 + t] = __syncthreads_or(t > 1000) * 7 + __syncthreads_count(1);
}

__device__ void barrier_sync(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ void barrier_arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

// Warp specialisation: one warp fills a double buffer for another, with a full and an empty barrier
// for each half.
__global__ void specialised(const int* in, int rounds, int* out) {
  __shared__ int buffer[2][32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; ++r) {
      const int half = r % 2;
      if (r >= 2) barrier_sync(3 + half, 64);  // wait until it is empty
      buffer[half][lane] = in[r * 32 + lane] * 2;
      __threadfence_block();
      barrier_arrive(1 + half, 64);  // it is full
    }
  } else if (threadIdx.x < 64) {
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
      const int half = r % 2;
      barrier_sync(1 + half, 64);
      sum = sum * 3 + buffer[half][31 - lane];
      if (r + 2 < rounds) barrier_arrive(3 + half, 64);
    }
    out[lane] = sum;
  } else {
    // The other warps have a barrier of their own.
    __shared__ int other[64];
    other[threadIdx.x - 64] = threadIdx.x;
    asm volatile("barrier.sync 5, 64;" ::: "memory");
    out[32 + threadIdx.x - 64] = other[127 - threadIdx.x];
  }
}

__global__ void reductions(int* out) {
  const int t = threadIdx.x;
  int count, all, any;
  asm volatile(
      "{.reg .pred p, q, r; setp.gt.s32 p, %3, 40; barrier.cta.red.popc.u32 %0, 2, p;\n"
      " barrier.cta.red.and.pred q, 2, p; barrier.cta.red.or.pred r, 2, p;\n"
      " selp.s32 %1, 1, 0, q; selp.s32 %2, 1, 0, r;}"
      : "=r"(count), "=r"(all), "=r"(any)
      : "r"(t)
      : "memory");
  out[t] = count * 100 + all * 10 + any;
}

// A warp-synchronous reduction with halving masks.
__global__ void masked(int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = t * t;
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    const unsigned mask = d == 16 ? 0xffffffffu : (1u << (2 * d)) - 1;
    if (t < 2 * d) {
      const int v = t < d ? s[t + d] : 0;
      __syncwarp(mask);
      if (t < d) s[t] += v;
      __syncwarp(mask);
    }
  }
  if (t == 0) *out = s[0];
}

int main() {
  int *out, *in;
  cudaMallocManaged(&out, 512 * sizeof(int));
  cudaMallocManaged(&in, 320 * sizeof(int));
  predicates<<<1, 100>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 500; i += 33) printf("%d ", out[i]);
  for (int i = 0; i < 320; ++i) in[i] = i * 7 % 101;
  specialised<<<1, 128>>>(in, 10, out);
  cudaDeviceSynchronize();
  printf("\n");
  for (int i = 0; i < 96; ++i) printf("%d%c", out[i], i % 32 == 31 ? '\n' : ' ');
  reductions<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[63]);
  masked<<<1, 32>>>(out);
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%d\n", *out);
  cudaFree(out);
  cudaFree(in);
}
