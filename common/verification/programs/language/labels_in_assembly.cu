// Labels, registers and predicates that inline assembly declares in braces and repeats where it is
// inlined: loops, early exits and tables of branches in PTX; loads and stores of each width.
#include <cstdint>
#include <cstdio>
__device__ __forceinline__ unsigned gcd(unsigned a, unsigned b) {
  unsigned r;
  asm("{ .reg .u32 x, y, t; .reg .pred p; mov.u32 x, %1; mov.u32 y, %2; LOOP: setp.eq.u32 p, y, 0; "
      "@p bra DONE; rem.u32 t, x, y; mov.u32 x, y; mov.u32 y, t; bra.uni LOOP; DONE: mov.u32 %0, "
      "x; }"
      : "=r"(r)
      : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ unsigned bits(unsigned v) {
  unsigned r;
  asm("{ .reg .u32 x, y; .reg .pred p; mov.u32 x, %1; mov.u32 y, 0; LOOP: setp.eq.u32 p, x, 0; @p "
      "bra DONE; { .reg .u32 y; sub.u32 y, x, 1; and.b32 x, x, y; } add.u32 y, y, 1; bra LOOP; "
      "DONE: mov.u32 %0, y; }"
      : "=r"(r)
      : "r"(v));
  return r;
}
__device__ __forceinline__ int choose(int v) {
  int r;
  asm("{ .reg .pred p; setp.lt.s32 p, %1, 10; @p bra SMALL; setp.lt.s32 p, %1, 40; @p bra MID; "
      "mov.s32 %0, 3; bra END; SMALL: mov.s32 %0, 1; bra END; MID: mov.s32 %0, 2; END: }"
      : "=r"(r)
      : "r"(v));
  return r;
}
__device__ __forceinline__ void spin_add(int* lock, int* p, int v) {
  asm volatile(
      "{ .reg .pred q; .reg .b32 o; TRY: atom.acquire.gpu.global.cas.b32 o, [%0], 0, 1; "
      "setp.ne.b32 q, o, 0; @q bra TRY; ld.relaxed.gpu.global.b32 o, [%1]; add.s32 o, o, %2; "
      "st.relaxed.gpu.global.b32 [%1], o; atom.release.gpu.global.exch.b32 o, [%0], 0; }" ::"l"(
          __cvta_generic_to_global(lock)),
      "l"(__cvta_generic_to_global(p)), "r"(v)
      : "memory");
}
__device__ int table_jump(int i, int v) {
  int r;
  asm("{ .reg .u32 k; and.b32 k, %1, 3; T: .branchtargets A, B, C, D; brx.idx k, T; A: add.s32 %0, "
      "%2, 1; bra E; B: mul.lo.s32 %0, %2, 3; bra E; C: sub.s32 %0, 100, %2; bra E; D: xor.b32 %0, "
      "%2, 85; E: }"
      : "=r"(r)
      : "r"(i), "r"(v));
  return r;
}
__global__ void go(unsigned* out, int* lock) {
  const unsigned t = threadIdx.x;
  unsigned h = gcd(t * 12, 18 + t) * 1000 + gcd(360, t + 1);
  h = h * 7 + bits(t * 77) + bits(~t);
  h = h * 5 + choose(t) + 10 * choose(63 - t);
  for (int i = 0; i < 3; ++i) h = h * 3 + gcd(h, 30030) + table_jump(t + i, h & 255);
  spin_add(lock, lock + 1, t);
  spin_add(lock, lock + 2, 2);
  out[t] = h;
  struct alignas(16) {
    uint8_t b[16];
  } v;
  for (int i = 0; i < 16; ++i) v.b[i] = t + i;
  uint64_t a = (uint64_t)&v;
  unsigned x, y, z, w;
  unsigned short s;
  asm volatile("ld.u8 %0, [%1+3];" : "=r"(x) : "l"(a) : "memory");
  asm volatile("ld.s8 %0, [%1+5];" : "=r"(y) : "l"(a));
  asm volatile("ld.u16 %0, [%1+6];" : "=h"(s) : "l"(a));
  asm volatile("ld.v2.u32 {%0, %1}, [%2+8];" : "=r"(z), "=r"(w) : "l"(a));
  asm volatile("st.v4.u8 [%0+4], {%1, %2, %3, %4};" ::"l"(a), "r"(x), "r"(y), "r"(z & 255),
               "r"(w & 255)
               : "memory");
  unsigned q;
  asm volatile("ld.volatile.u32 %0, [%1+4];" : "=r"(q) : "l"(a) : "memory");
  out[t] += x + y * 3 + s * 5 + z * 7 + w * 11 + q * 13;
}
int main() {
  unsigned *d, h[64];
  int* l;
  cudaMalloc(&d, 256);
  cudaMalloc(&l, 16);
  cudaMemset(l, 0, 16);
  go<<<1, 64>>>(d, l);
  cudaMemcpy(h, d, 256, cudaMemcpyDefault);
  for (unsigned v : h) printf("%u ", v);
  int r[3];
  cudaMemcpy(r, l, 12, cudaMemcpyDefault);
  printf("\n%d %d %d %s\n", r[0], r[1], r[2], cudaGetErrorName(cudaGetLastError()));
  cudaFree(d);
  cudaFree(l);
}
