// Every integer atomic in global and shared memory: returned values from one thread, sums from
// many.
#include <cstdio>

using u64 = unsigned long long;

template <typename Memory>
__device__ void sequence(Memory* m, u64* w, u64* log) {
  int k = 0;
  log[k++] = atomicAdd((int*)m, 5);
  log[k++] = atomicSub((int*)m, 7);
  log[k++] = (unsigned)atomicMin((int*)m, -100);
  log[k++] = (unsigned)atomicMax((int*)m, 50);
  log[k++] = atomicExch((unsigned*)m, 0xf0f0f0f0u);
  log[k++] = atomicAnd((unsigned*)m, 0xff00ff00u);
  log[k++] = atomicOr((unsigned*)m, 0x0000000fu);
  log[k++] = atomicXor((unsigned*)m, 0xffffffffu);
  log[k++] = atomicMin((unsigned*)m, 3u);
  log[k++] = atomicMax((unsigned*)m, 9u);
  for (int i = 0; i < 4; ++i) log[k++] = atomicInc((unsigned*)m, 10u);
  for (int i = 0; i < 4; ++i) log[k++] = atomicDec((unsigned*)m, 12u);
  log[k++] = atomicCAS((unsigned*)m, 12u, 1000u);
  log[k++] = atomicCAS((unsigned*)m, 1u, 2u);
  log[k++] = *(unsigned*)m;
  log[k++] = atomicAdd(w, 1ull << 40);
  log[k++] = atomicExch(w, ~0ull);
  log[k++] = atomicAnd(w, 0x00ff00ff00ff00ffull);
  log[k++] = atomicOr(w, 1ull << 63);
  log[k++] = atomicXor(w, 0x1111111111111111ull);
  log[k++] = atomicMin((long long*)w, -5ll);
  log[k++] = atomicMax((long long*)w, 6ll);
  log[k++] = atomicMin(w, 4ull);
  log[k++] = atomicMax(w, 1ull << 33);
  log[k++] = atomicCAS(w, 1ull << 33, 77ull);
  log[k++] = *w;
}

__global__ void single(int* m, u64* w, u64* log) {
  __shared__ int sm;
  __shared__ u64 sw;
  sm = 10;
  sw = 10;
  sequence(m, w, log);
  sequence(&sm, &sw, log + 40);
}

__global__ void many(int* g, u64* w) {
  __shared__ int s[8];
  __shared__ u64 sw[4];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 8) s[t] = t == 2 ? 0x7fffffff : t == 4 ? -1 : 0;
  if (t < 4) sw[t] = 0;
  __syncthreads();
  atomicAdd(&s[0], i);
  atomicAdd(&s[1], 1);
  atomicMin(&s[2], i * 3 % 1001);
  atomicMax(&s[3], i * 7 % 1003);
  atomicAnd(&s[4], ~(1 << (t % 7)));
  atomicOr(&s[5], 1 << (t % 29));
  atomicXor(&s[6], i * 0x9e3779b9);
  atomicInc((unsigned*)&s[7], 99u);
  atomicAdd(&sw[0], (u64)i << 20);
  atomicMax(&sw[1], (u64)i * i);
  atomicXor(&sw[2], (u64)i << (i % 50));
  __syncthreads();
  if (t < 2) atomicAdd(&g[t], s[t]);
  if (t == 2) atomicMin(&g[2], s[2]);
  if (t == 3) atomicMax(&g[3], s[3]);
  if (t == 4) atomicAnd(&g[4], s[4]);
  if (t == 5) atomicOr(&g[5], s[5]);
  if (t == 6) atomicXor(&g[6], s[6]);
  if (t == 7) atomicAdd(&g[7], s[7]);
  if (t == 8) atomicAdd(&w[0], sw[0]);
  if (t == 9) atomicMax(&w[1], sw[1]);
  if (t == 10) atomicXor(&w[2], sw[2]);
  // Straight to global memory, with conflicts inside each warp.
  atomicDec((unsigned*)&g[8 + t % 3], 1u << 20);
  atomicAdd(&g[11 + (t & 3)], t);
}

int main() {
  u64 *log, *w;
  int* g;
  cudaMallocManaged(&log, 80 * sizeof(u64));
  cudaMallocManaged(&w, 4 * sizeof(u64));
  cudaMallocManaged(&g, 16 * sizeof(int));
  g[0] = 10, w[0] = 10;
  single<<<1, 1>>>(g, w, log);
  cudaDeviceSynchronize();
  for (int k = 0; k < 29; ++k) printf("%llx %llx\n", log[k], log[40 + k]);
  for (int i = 0; i < 16; ++i) g[i] = i == 2 ? 0x7fffffff : i == 4 ? -1 : 0;
  for (int i = 0; i < 4; ++i) w[i] = 0;
  many<<<8, 192>>>(g, w);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; ++i) printf("%08x ", g[i]);
  printf("\n%llx %llx %llx\n", w[0], w[1], w[2]);
  cudaFree(log);
  cudaFree(w);
  cudaFree(g);
}
