// Votes, matches, warp-wide reductions and the lanes that are active.
#include <cstdio>

#define ALL 0xffffffffu

__global__ void votes(unsigned* out, const int* data) {
  unsigned lane = threadIdx.x % 32;
  unsigned* o = out + threadIdx.x * 24;
  int v = data[threadIdx.x];
  int all;
  *o++ = __ballot_sync(ALL, v > 10);
  *o++ = __any_sync(ALL, v == 77);
  *o++ = __all_sync(ALL, v < 50);
  *o++ = __match_any_sync(ALL, v & 3);
  *o++ = __match_any_sync(ALL, (unsigned long long)(v / 8) << 40);
  *o++ = __match_any_sync(ALL, v * 0.5f);
  *o++ = __match_all_sync(ALL, v > 1000, &all);
  *o++ = all;
  *o++ = __match_all_sync(ALL, v, &all);
  *o++ = all;
  *o++ = __reduce_add_sync(ALL, v);
  *o++ = __reduce_add_sync(ALL, (unsigned)v * 0x10000001u);
  *o++ = __reduce_min_sync(ALL, v - 20);
  *o++ = __reduce_max_sync(ALL, v - 20);
  *o++ = __reduce_min_sync(ALL, (unsigned)(v - 20));
  *o++ = __reduce_max_sync(ALL, (unsigned)v);
  *o++ = __reduce_and_sync(ALL, (unsigned)v | 0x40);
  *o++ = __reduce_or_sync(ALL, (unsigned)v);
  *o++ = __reduce_xor_sync(ALL, (unsigned)v);
  *o++ = __activemask();
  // Two halves that vote separately.
  if (lane < 11)
    *o++ = __ballot_sync(0x7ffu, v & 1) | 0x80000000u;
  else
    *o++ = __ballot_sync(~0x7ffu, v & 1);
  // Three groups that reduce separately.
  unsigned group = __match_any_sync(ALL, lane % 3);
  *o++ = __reduce_add_sync(group, (unsigned)v);
  *o++ = __popc(group & ((1u << lane) - 1));
  *o++ = __shfl_sync(group, v, __ffs(group) - 1);
}

// Warp-aggregated increment, as it is done by hand: the leader adds for all.
__device__ int aggregated(int* counter) {
  unsigned mask = __match_any_sync(__activemask(), (unsigned long long)counter);
  int leader = __ffs(mask) - 1, lane = threadIdx.x & 31, base = 0;
  if (lane == leader) base = atomicAdd(counter, __popc(mask));
  base = __shfl_sync(mask, base, leader);
  return base + __popc(mask & ((1u << lane) - 1));
}

__global__ void filter(const int* in, int n, int* count, int* kept) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) kept[aggregated(count)] = in[i];
}

int main() {
  int host[64], *data, *count, *kept;
  unsigned *out, results[64 * 24];
  for (int i = 0; i < 64; i++) host[i] = (i * 29 + 5) % 47;
  cudaMalloc(&data, sizeof host);
  cudaMalloc(&out, sizeof results);
  cudaMalloc(&count, sizeof(int));
  cudaMalloc(&kept, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(count, 0, sizeof(int));
  votes<<<1, 64>>>(out, data);
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 24; k++) {
    printf("%2d:", k);
    for (int t = 0; t < 64; t += 5) printf(" %x", results[t * 24 + k]);
    puts("");
  }
  filter<<<1, 64>>>(data, 64, count, kept);
  int n, sum = 0, square = 0;
  cudaMemcpy(&n, count, sizeof n, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, kept, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) sum += host[i], square += host[i] * host[i];
  printf("kept %d, sum %d, squares %d\n", n, sum, square);
  cudaFree(data);
  cudaFree(out);
  cudaFree(count);
  cudaFree(kept);
}
