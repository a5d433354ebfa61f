// Three sorts by hand: bitonic in shared memory, radix by bits with block scans, odd-even merge by
// ranks.
#include <cstdio>
#include <vector>

__global__ void bitonic(int* v) {
  extern __shared__ int s[];
  const int t = threadIdx.x, n = blockDim.x;
  s[t] = v[blockIdx.x * n + t];
  __syncthreads();
  for (int k = 2; k <= n; k <<= 1)
    for (int j = k >> 1; j; j >>= 1) {
      const int o = t ^ j;
      if (o > t) {
        const bool up = (t & k) == 0;
        if ((s[t] > s[o]) == up) {
          const int x = s[t];
          s[t] = s[o];
          s[o] = x;
        }
      }
      __syncthreads();
    }
  v[blockIdx.x * n + t] = s[t];
}

// Merges two neighbouring sorted runs: every element finds its place by binary search in the other.
__global__ void merge(const int* in, int* out, int run, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int pair = i / (2 * run), start = pair * 2 * run;
  const bool second = i - start >= run;
  const int other = second ? start : start + run, x = in[i];
  int low = 0, high = min(run, max(0, n - other));
  while (low < high) {
    const int mid = (low + high) / 2;
    if (second ? in[other + mid] <= x : in[other + mid] < x)
      low = mid + 1;
    else
      high = mid;
  }
  out[start + (i - start) % run + low] = x;
}

__global__ void radix(unsigned* keys, int n) {
  __shared__ unsigned s[256];
  __shared__ int warp_counts[8];
  const int t = threadIdx.x, lane = t % 32, w = t / 32;
  unsigned key = t < n ? keys[t] : ~0u;
  for (int bit = 0; bit < 32; ++bit) {
    const bool one = key >> bit & 1;
    const unsigned zeros = __ballot_sync(~0u, !one);
    if (lane == 0) warp_counts[w] = __popc(zeros);
    __syncthreads();
    int before = 0, total = 0;
    for (int i = 0; i < 8; ++i) {
      if (i < w) before += warp_counts[i];
      total += warp_counts[i];
    }
    const int rank = before + __popc(zeros & ((1u << lane) - 1));
    s[one ? total + t - rank : rank] = key;
    __syncthreads();
    key = s[t];
    __syncthreads();
  }
  if (t < n) keys[t] = key;
}

int main() {
  const int n = 1024;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = (int)(i * 2654435761u) >> 8;
  int *a, *b;
  cudaMalloc(&a, n * 4), cudaMalloc(&b, n * 4);
  cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
  bitonic<<<n / 128, 128, 512>>>(a);
  for (int run = 128; run < n; run *= 2) {
    merge<<<n / 128, 128>>>(a, b, run, n);
    std::swap(a, b);
  }
  cudaMemcpy(h.data(), a, n * 4, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 1; i < n; ++i) bad += h[i - 1] > h[i];
  printf("bitonic and merge: %d out of order; %d %d %d\n", bad, h[0], h[500], h[1023]);
  std::vector<unsigned> k(200);
  for (int i = 0; i < 200; ++i) k[i] = (i + 1) * 40503u * 65537u;
  cudaMemcpy(a, k.data(), 800, cudaMemcpyHostToDevice);
  radix<<<1, 256>>>((unsigned*)a, 200);
  cudaMemcpy(k.data(), a, 800, cudaMemcpyDeviceToHost);
  bad = 0;
  for (int i = 1; i < 200; ++i) bad += k[i - 1] > k[i];
  printf("radix: %d out of order; %x %x %x\n", bad, k[0], k[100], k[199]);
  cudaFree(a), cudaFree(b);
}

// Built as C++20.
