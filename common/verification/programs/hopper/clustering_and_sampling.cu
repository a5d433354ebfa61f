// k-means on integer points, Monte Carlo with a generator per thread, a hash table, reservoir of
// the best k.
#include <cstdint>
#include <cstdio>
#include <vector>

struct Cluster {
  unsigned long long x, y;
  unsigned count;
};

__global__ void assign(const int2* points, int n, const int2* centres, int k, Cluster* sums,
                       int* changed, int* label) {
  __shared__ int2 s[16];
  if (threadIdx.x < k) s[threadIdx.x] = centres[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int2 p = points[i];
  int best = 0, best_distance = INT_MAX;
  for (int c = 0; c < k; ++c) {
    const int dx = p.x - s[c].x, dy = p.y - s[c].y, d = dx * dx + dy * dy;
    if (d < best_distance) best_distance = d, best = c;
  }
  if (label[i] != best) atomicAdd(changed, 1);
  label[i] = best;
  atomicAdd(&sums[best].x, (unsigned long long)p.x);
  atomicAdd(&sums[best].y, (unsigned long long)p.y);
  atomicAdd(&sums[best].count, 1u);
}

__global__ void move(Cluster* sums, int2* centres) {
  Cluster& c = sums[threadIdx.x];
  if (c.count) centres[threadIdx.x] = make_int2((int)(c.x / c.count), (int)(c.y / c.count));
  c = Cluster{};
}

struct Lcg {
  uint64_t state;
  __device__ uint32_t next() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const uint32_t x = (uint32_t)(((state >> 18) ^ state) >> 27), r = (uint32_t)(state >> 59);
    return __funnelshift_r(x, x, r);
  }
};

__global__ void pi(unsigned* inside, int each) {
  Lcg random{blockIdx.x * blockDim.x + threadIdx.x + 1ull};
  unsigned hits = 0;
  for (int i = 0; i < each; ++i) {
    const uint64_t x = random.next() >> 1, y = random.next() >> 1;
    hits += x * x + y * y < 1ull << 62;
  }
  hits = __reduce_add_sync(0xffffffffu, hits);
  if (threadIdx.x % 32 == 0) atomicAdd(inside, hits);
}

// Open addressing: keys are put in with compare-and-swap, counted, and looked up.
__global__ void insert(uint64_t* slots, unsigned mask, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint32_t key = (uint32_t)(i * i % 301) + 1;
  for (unsigned at = key * 2654435761u >> 7;; ++at) {
    const unsigned long long old =
        atomicCAS((unsigned long long*)&slots[at & mask], 0ull, (unsigned long long)key << 32);
    if (old == 0 || old >> 32 == key) {
      atomicAdd((unsigned long long*)&slots[at & mask], 1ull);
      return;
    }
  }
}

__global__ void look_up(const uint64_t* slots, unsigned mask, unsigned* out) {
  const uint32_t key = threadIdx.x + 1;
  unsigned count = 0;
  for (unsigned at = key * 2654435761u >> 7; slots[at & mask]; ++at)
    if (slots[at & mask] >> 32 == key) {
      count = (unsigned)slots[at & mask];
      break;
    }
  out[threadIdx.x] = count;
}

// The k largest of each thread's share by insertion, then of the block's by repeated maximum.
template <int K>
__global__ void top(const int* in, int n, int* out) {
  __shared__ unsigned long long best;
  int mine[K];
  for (int& m : mine) m = INT_MIN;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int v = in[i];
#pragma unroll
    for (int k = 0; k < K; ++k)
      if (v > mine[k]) {
        const int t = mine[k];
        mine[k] = v;
        v = t;
      }
  }
  int taken = 0;
  for (int k = 0; k < K; ++k) {
    if (threadIdx.x == 0) best = 0;
    __syncthreads();
    int v = INT_MIN;
#pragma unroll
    for (int j = 0; j < K; ++j)
      if (j == taken) v = mine[j];
    atomicMax(&best,
              (unsigned long long)((long long)v + 0x80000000ll) << 32 | (blockDim.x - threadIdx.x));
    __syncthreads();
    if ((unsigned)best == blockDim.x - threadIdx.x) {
      out[k] = v;
      ++taken;
    }
    __syncthreads();
  }
}

int main() {
  const int n = 1000, k = 5;
  std::vector<int2> points(n), centres(k);
  for (int i = 0; i < n; ++i)
    points[i] = make_int2(i % 5 * 100 + i * 37 % 41, i % 3 * 120 + i * 53 % 29);
  for (int c = 0; c < k; ++c) centres[c] = points[c * 7];
  int2 *d_points, *d_centres;
  Cluster* sums;
  int *changed, *label;
  cudaMalloc(&d_points, n * 8), cudaMalloc(&d_centres, k * 8),
      cudaMalloc(&sums, k * sizeof(Cluster));
  cudaMallocManaged(&changed, 4), cudaMalloc(&label, n * 4);
  cudaMemcpy(d_points, points.data(), n * 8, cudaMemcpyHostToDevice);
  cudaMemcpy(d_centres, centres.data(), k * 8, cudaMemcpyHostToDevice);
  cudaMemset(sums, 0, k * sizeof(Cluster)), cudaMemset(label, 0xff, n * 4);
  for (int round = 0; round < 30; ++round) {
    *changed = 0;
    assign<<<8, 128>>>(d_points, n, d_centres, k, sums, changed, label);
    move<<<1, k>>>(sums, d_centres);
    cudaDeviceSynchronize();
    printf("%d ", *changed);
    if (*changed == 0) break;
  }
  cudaMemcpy(centres.data(), d_centres, k * 8, cudaMemcpyDeviceToHost);
  for (int2 c : centres) printf("(%d, %d) ", c.x, c.y);
  unsigned *u, host[301];
  uint64_t* slots;
  cudaMalloc(&u, sizeof host), cudaMalloc(&slots, 512 * 8);
  cudaMemset(u, 0, 4), cudaMemset(slots, 0, 512 * 8);
  pi<<<4, 64>>>(u, 100);
  cudaMemcpy(host, u, 4, cudaMemcpyDeviceToHost);
  printf("\n%u of 25600 inside\n", host[0]);
  insert<<<8, 128>>>(slots, 511, n);
  look_up<<<1, 301>>>(slots, 511, u);
  cudaMemcpy(host, u, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 301; i += 12) printf("%u ", host[i]);
  std::vector<int> numbers(n);
  for (int i = 0; i < n; ++i) numbers[i] = i * 7919 % 10007 - 5000;
  cudaMemcpy(label, numbers.data(), n * 4, cudaMemcpyHostToDevice);
  top<6><<<1, 64>>>(label, n, (int*)u);
  cudaMemcpy(host, u, 24, cudaMemcpyDeviceToHost);
  printf("\n%d %d %d %d %d %d\n", (int)host[0], (int)host[1], (int)host[2], (int)host[3],
         (int)host[4], (int)host[5]);
  cudaFree(d_points), cudaFree(d_centres), cudaFree(sums), cudaFree(changed), cudaFree(label),
      cudaFree(u), cudaFree(slots);
}
