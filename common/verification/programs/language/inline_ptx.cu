// Inline PTX: every constraint letter, vector operands, predicates, labels and loops, several
// results, memory clobbers.
#include <cstdint>
#include <cstdio>

// One row of results for each thread.
struct R {
  uint64_t v[24];
};

__device__ int table[4] = {10, 20, 30, 40};

__global__ void letters(R* out, const float4* packs, unsigned short h, double dd) {
  __shared__ unsigned sh[32];
  int t = threadIdx.x;
  R& r = out[t];
  sh[t] = t * 3;
  __syncthreads();
  unsigned short hs;
  asm("add.u16 %0, %1, 7;" : "=h"(hs) : "h"((unsigned short)(h + t)));
  r.v[0] = hs;
  unsigned a;
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(a) : "r"(t), "r"(5), "n"(100));
  r.v[1] = a;
  unsigned long long l;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(l) : "r"(0x80000000u + t), "r"(0x10001u));
  r.v[2] = l;
  float f;
  asm("fma.rn.f32 %0, %1, %1, %2;" : "=f"(f) : "f"(t * 0.1f), "f"(1.5f));
  r.v[3] = __float_as_uint(f);
  double d;
  asm("div.rz.f64 %0, %1, %2;" : "=d"(d) : "d"(dd + t), "d"(3.0));
  r.v[4] = __double_as_longlong(d);
  unsigned x = t;
  asm volatile(
      "{\n .reg .pred p, q;\n setp.gt.u32 p|q, %0, 15;\n @p add.u32 %0, %0, 1000;\n @!p sub.u32 "
      "%0, %0, 1;\n}"
      : "+r"(x));
  r.v[5] = x;
  float4 v;
  asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(packs + t)
               : "memory");
  r.v[6] = __float_as_uint(v.x + v.y * v.z - v.w);
  unsigned n = t + 1, steps;
  asm volatile(
      "{\n .reg .pred p;\n .reg .u32 k, b, c;\n mov.u32 k, 0;\n mov.u32 b, %1;\n$collatz_%=:\n "
      "setp.eq.u32 p, b, 1;\n @p bra $end_%=;\n and.b32 c, b, 1;\n setp.ne.u32 p, c, 0;\n"
      " @p mad.lo.u32 b, b, 3, 1;\n @!p shr.u32 b, b, 1;\n add.u32 k, k, 1;\n bra.uni "
      "$collatz_%=;\n$end_%=:\n mov.u32 %0, k;\n}"
      : "=r"(steps)
      : "r"(n));
  r.v[7] = steps;
  unsigned addr = (unsigned)__cvta_generic_to_shared(&sh[31 - t]), got;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(got) : "r"(addr));
  r.v[8] = got;
  uint64_t packed;
  asm("mov.b64 %0, {%1, %2};" : "=l"(packed) : "r"(t), "r"(t ^ 0xffff));
  r.v[9] = packed;
  unsigned lo, hi;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(packed * 3));
  r.v[10] = lo ^ hi;
  unsigned short p0, p1;
  asm("mov.b32 {%0, %1}, %2;" : "=h"(p0), "=h"(p1) : "r"(0x12345678u + t));
  r.v[11] = p0 * 7u + p1;
  int s;
  asm("{ .reg .pred p, q; setp.ne.s32 q, %2, 0; setp.lt.and.s32 p, %1, 20, q; selp.s32 %0, 1, -1, "
      "p; }"
      : "=r"(s)
      : "r"(t), "r"(1));
  r.v[12] = (uint32_t)s;
  unsigned lane, warp, ntid;
  asm("mov.u32 %0, %%laneid; mov.u32 %1, %%nwarpid; mov.u32 %2, %%ntid.x;"
      : "=r"(lane), "=r"(warp), "=r"(ntid));
  r.v[13] = lane * 100 + ntid;
  (void)warp;
  unsigned carry;
  asm("add.cc.u32 %0, %2, %3; addc.u32 %1, 0, 0;"
      : "=r"(lo), "=r"(carry)
      : "r"(0xfffffff0u), "r"(t));
  r.v[14] = (uint64_t)carry << 32 | lo;
  unsigned bits;
  asm("bfe.u32 %0, %1, 4, 8; bfi.b32 %0, %0, %1, 16, 8;"
      : "=&r"(bits)
      : "r"(0x9abcdef0u * (t + 1)));
  r.v[15] = bits;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(bits) : "r"(t * 77), "r"(0x55555555), "r"(t << 20));
  r.v[16] = bits;
  asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(bits) : "r"(0x03020100), "r"(0x07060504), "r"(t));
  r.v[17] = bits;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(bits) : "r"(0xdeadbeefu), "r"(0x01234567u), "r"(t));
  r.v[18] = bits;
  asm("szext.wrap.s32 %0, %1, %2;" : "=r"(s) : "r"(0xabcu * t), "r"(12));
  r.v[19] = (uint32_t)s;
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(bits) : "r"(t), "r"(5));
  r.v[20] = bits;
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(bits) : "r"(t * t));
  r.v[21] = bits;
  asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(s) : "r"(0xfff00010 + t), "r"(0x04030201), "r"(9));
  r.v[22] = (uint32_t)s;
  int from;
  asm volatile("ld.global.s32 %0, [%1 + 8];" : "=r"(from) : "l"(table));
  r.v[23] = from;
}

int main() {
  R* out;
  float4* packs;
  cudaMallocManaged(&out, 32 * sizeof(R));
  cudaMallocManaged(&packs, 32 * sizeof(float4));
  for (int i = 0; i < 32; ++i) packs[i] = {i * 1.0f, i * 0.5f, 3.0f, -1.0f};
  letters<<<1, 32>>>(out, packs, 65530, 1.0);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int k = 0; k < 24; ++k) {
    uint64_t h = 1469598103934665603ull;
    for (int t = 0; t < 32; ++t) h = (h ^ out[t].v[k]) * 1099511628211ull;
    printf("%2d %016llx  lane 21: %llx\n", k, (unsigned long long)h,
           (unsigned long long)out[21].v[k]);
  }
  for (int t = 0; t < 32; ++t) {
    unsigned n = t + 1, s = 0;
    for (; n != 1; ++s) n = n & 1 ? 3 * n + 1 : n / 2;
    if (out[t].v[7] != s) printf("BAD collatz %d\n", t);
    if (out[t].v[8] != (31u - t) * 3) puts("BAD shared");
  }
  cudaFree(out);
  cudaFree(packs);
}
