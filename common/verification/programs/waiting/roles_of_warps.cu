// Named barriers between warps of different roles: bar.arrive and bar.sync, bar.red of each kind,
// barrier.sync in divergent code; barriers of a whole block that count or ask.
#include <cstdio>
__global__ void go(int* out) {
  __shared__ int buf[2][64];
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), w = t / 32;
  int v = 0;
  if (w < 2) {
    for (int i = 0; i < 6; ++i) {
      asm volatile("bar.sync %0, 128;" ::"r"(1 + i % 2) : "memory");
      buf[i % 2][t] = t * i + 1;
      asm volatile("bar.arrive %0, 128;" ::"r"(3 + i % 2) : "memory");
    }
  } else if (w < 4) {
    asm volatile("bar.arrive 1, 128;" ::: "memory");
    asm volatile("bar.arrive 2, 128;" ::: "memory");
    for (int i = 0; i < 6; ++i) {
      asm volatile("bar.sync %0, 128;" ::"r"(3 + i % 2) : "memory");
      v += buf[i % 2][(t * 5) % 64];
      if (i < 4) asm volatile("bar.arrive %0, 128;" ::"r"(1 + i % 2) : "memory");
    }
  } else {
    int c;
    asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 150; bar.red.popc.u32 %0, 5, 64, p; }"
                 : "=r"(c)
                 : "r"(t)
                 : "memory");
    v = c;
    asm volatile(
        "{ .reg .pred p, q; setp.gt.s32 p, %1, 127; bar.red.and.pred q, 5, 64, p; selp.b32 %0, "
        "100, 200, q; }"
        : "=r"(c)
        : "r"(t)
        : "memory");
    v += c;
    asm volatile(
        "{ .reg .pred p, q; setp.eq.s32 p, %1, 131; barrier.cta.red.or.pred q, 5, 64, p; selp.b32 "
        "%0, 1000, 2000, q; }"
        : "=r"(c)
        : "r"(t)
        : "memory");
    v += c;
    if (t % 3 == 0) {
      asm volatile("barrier.sync 6, 64;" ::: "memory");
      v += 7;
    } else if (t % 3 == 1) {
      asm volatile("barrier.sync 6, 64;" ::: "memory");
      v += 8;
    } else {
      asm volatile("barrier.sync 6, 64;" ::: "memory");
      v += 9;
    }
  }
  __syncthreads();
  v += __syncthreads_count(t % 5 == 0) * 10 + __syncthreads_and(t < 192) * 3 +
       __syncthreads_or(t == 77) * 5;
  if (t % 2) {
    __syncwarp(0xaaaaaaaa);
    v += 1;
  } else {
    __syncwarp(0x55555555);
    v += 2;
  }
  out[t] = v;
}
int main() {
  int *d, h[192];
  cudaMalloc(&d, sizeof h);
  go<<<1, dim3(8, 6, 4)>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDefault);
  for (int i = 0; i < 192; ++i) printf("%d%c", h[i], i % 32 == 31 ? '\n' : ' ');
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(d);
}
