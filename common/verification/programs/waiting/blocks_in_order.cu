// Blocks of one launch that talk to each other: a chained scan, decoupled look-back, the last block
// done.
#include <cstdio>
#include <vector>

constexpr int kThreads = 128;

__device__ unsigned next_tile;

// A chain: every block waits for the sum of the blocks before it.
__global__ void chained_scan(const int* in, int* out, int n, volatile int* sums,
                             volatile int* ready) {
  __shared__ int tile[kThreads];
  __shared__ unsigned my_tile;
  __shared__ int before;
  const int t = threadIdx.x;
  if (t == 0) my_tile = atomicAdd(&next_tile, 1u);
  __syncthreads();
  const int i = my_tile * kThreads + t;
  tile[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < kThreads; d *= 2) {
    const int v = t >= d ? tile[t - d] : 0;
    __syncthreads();
    tile[t] += v;
    __syncthreads();
  }
  if (t == 0) {
    int prefix = 0;
    if (my_tile > 0) {
      while (ready[my_tile - 1] == 0) {
      }
      __threadfence();
      prefix = sums[my_tile - 1];
    }
    sums[my_tile] = prefix + tile[kThreads - 1];
    __threadfence();
    ready[my_tile] = 1;
    before = prefix;
  }
  __syncthreads();
  if (i < n) out[i] = before + tile[t];
}

// Look-back: state and value share a word, so that one store publishes both.
__global__ void look_back_scan(const int* in, int* out, int n, unsigned long long* status) {
  __shared__ int warp_sums[kThreads / 32];
  __shared__ int exclusive;
  const int t = threadIdx.x, lane = t & 31, warp = t / 32;
  const int i = blockIdx.x * kThreads + t;
  int v = i < n ? in[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    const int up = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v += up;
  }
  if (lane == 31) warp_sums[warp] = v;
  __syncthreads();
  int base = 0, total = 0;
  for (int w = 0; w < kThreads / 32; ++w) {
    if (w < warp) base += warp_sums[w];
    total += warp_sums[w];
  }
  if (t == 0) {
    atomicExch(&status[blockIdx.x], (blockIdx.x == 0 ? 2ull : 1ull) << 32 | (unsigned)total);
    int prefix = 0;
    for (int b = (int)blockIdx.x - 1; b >= 0;) {
      const unsigned long long s = atomicAdd(&status[b], 0ull);
      if (s >> 32 == 0) continue;
      prefix += (int)(unsigned)s;
      if (s >> 32 == 2) break;
      --b;
    }
    exclusive = prefix;
    atomicExch(&status[blockIdx.x], 2ull << 32 | (unsigned)(prefix + total));
  }
  __syncthreads();
  if (i < n) out[i] = exclusive + base + v;
}

__device__ unsigned blocks_done;

__global__ void sum_all(const int* in, int n, int* partial, int* result) {
  __shared__ int s[kThreads];
  __shared__ bool last;
  int v = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) v += in[i];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int d = kThreads / 2; d; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    __threadfence();
    if (threadIdx.x == 0) {
      int sum = 0;
      for (unsigned b = 0; b < gridDim.x; ++b) sum += ((volatile int*)partial)[b];
      *result = sum;
    }
  }
}

int main() {
  const int n = 5000, tiles = (n + kThreads - 1) / kThreads;
  std::vector<int> in(n), a(n), b(n);
  unsigned seed = 1;
  for (int& v : in) v = (int)((seed = seed * 1103515245 + 12345) >> 24) - 100;
  int *d_in, *d_a, *d_b, *sums, *ready;
  unsigned long long* status;
  cudaMalloc(&d_in, n * 4), cudaMalloc(&d_a, n * 4), cudaMalloc(&d_b, n * 4);
  cudaMalloc(&sums, tiles * 4), cudaMalloc(&ready, tiles * 4), cudaMalloc(&status, tiles * 8);
  cudaMemcpy(d_in, in.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemset(ready, 0, tiles * 4);
  cudaMemset(status, 0, tiles * 8);
  chained_scan<<<tiles, kThreads>>>(d_in, d_a, n, sums, ready);
  look_back_scan<<<tiles, kThreads>>>(d_in, d_b, n, status);
  cudaMemcpy(a.data(), d_a, n * 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), d_b, n * 4, cudaMemcpyDeviceToHost);
  int wrong = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += in[i];
    wrong += a[i] != sum || b[i] != sum;
  }
  printf("%d wrong of %d; last %d %d\n", wrong, n, a[n - 1], b[n - 1]);
  for (int round = 0; round < 2; ++round) {
    sum_all<<<20, kThreads>>>(d_in, n, sums, ready);
    cudaMemcpy(&sum, ready, 4, cudaMemcpyDeviceToHost);
    printf("sum %d\n", sum);
  }
  cudaFree(d_in), cudaFree(d_a), cudaFree(d_b), cudaFree(sums), cudaFree(ready), cudaFree(status);
}
