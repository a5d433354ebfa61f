// 32-bit integer arithmetic and bit manipulation, over all pairs of a set of awkward values.
#include <cstdint>
#include <cstdio>

struct Result {
  uint32_t v[40];
};

__device__ uint32_t bfe_signed(uint32_t x, uint32_t at, uint32_t length) {
  uint32_t r;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(at), "r"(length));
  return r;
}

__device__ uint32_t bfe_unsigned(uint32_t x, uint32_t at, uint32_t length) {
  uint32_t r;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(at), "r"(length));
  return r;
}

__device__ uint32_t bfi(uint32_t a, uint32_t b, uint32_t at, uint32_t length) {
  uint32_t r;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(at), "r"(length));
  return r;
}

__global__ void binary(const uint32_t* values, int count, Result* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count * count) return;
  const uint32_t a = values[i / count], b = values[i % count];
  const int32_t sa = a, sb = b;
  Result r = {};
  int k = 0;
  r.v[k++] = a + b;
  r.v[k++] = a - b;
  r.v[k++] = a * b;
  r.v[k++] = b ? a / b : 0;
  r.v[k++] = b ? a % b : 0;
  // INT_MIN / -1 has no value in C++.
  const bool divisible = sb != 0 && !(sa == INT32_MIN && sb == -1);
  r.v[k++] = divisible ? sa / sb : 0;
  r.v[k++] = divisible ? sa % sb : 0;
  r.v[k++] = a << (b & 31);
  r.v[k++] = a >> (b & 31);
  r.v[k++] = sa >> (b & 31);
  r.v[k++] = min(sa, sb);
  r.v[k++] = max(a, b);
  r.v[k++] = __mulhi(sa, sb);
  r.v[k++] = __umulhi(a, b);
  r.v[k++] = __mul24(sa, sb);
  r.v[k++] = __umul24(a, b);
  r.v[k++] = __sad(sa, sb, 7u);
  r.v[k++] = __usad(a, b, 7u);
  r.v[k++] = __hadd(sa, sb);
  r.v[k++] = __rhadd(sa, sb);
  r.v[k++] = __uhadd(a, b);
  r.v[k++] = __urhadd(a, b);
  r.v[k++] = __byte_perm(a, b, 0x3715);
  r.v[k++] = __byte_perm(a, b, b);
  r.v[k++] = __funnelshift_l(a, b, a ^ b);
  r.v[k++] = __funnelshift_r(a, b, b);
  r.v[k++] = __funnelshift_lc(a, b, b & 63);
  r.v[k++] = __funnelshift_rc(a, b, b & 63);
  r.v[k++] = __dp4a(sa, sb, 1000);
  r.v[k++] = __dp4a(a, b, 1000u);
  r.v[k++] = __dp2a_lo(sa, sb, -5);
  r.v[k++] = __dp2a_hi(sa, sb, -5);
  r.v[k++] = __dp2a_lo(a, b, 5u);
  r.v[k++] = __dp2a_hi(a, b, 5u);
  r.v[k++] = bfe_signed(a, b & 255, (b >> 8) & 255);
  r.v[k++] = bfe_unsigned(a, b & 31, 7);
  r.v[k++] = bfi(a, b, 5, 11);
  r.v[k++] = (a & b) | (~a & 0x0f0f0f0f) | (b ^ 0x33333333);
  r.v[k++] = (uint32_t)__popc(a) * 64 + __clz(b);
  r.v[k++] = __brev(a) ^ (uint32_t)__ffs(b);
  out[i] = r;
}

int main() {
  const uint32_t values[] = {0,          1,          2,          7,          31,
                             32,         0x7f,       0x80,       0xffff,     0x10000,
                             0xfffffe,   0x1000000,  0x7fffffff, 0x80000000, 0x80000001,
                             0xfffffff9, 0xfffffffe, 0xffffffff, 0xdeadbeef, 0x12345678};
  const int count = sizeof values / sizeof values[0];
  uint32_t* d_values;
  Result* d_out;
  cudaMalloc(&d_values, sizeof values);
  cudaMalloc(&d_out, count * count * sizeof(Result));
  cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);
  binary<<<(count * count + 63) / 64, 64>>>(d_values, count, d_out);
  static Result out[400];
  cudaMemcpy(out, d_out, count * count * sizeof(Result), cudaMemcpyDeviceToHost);
  for (int op = 0; op < 40; ++op) {
    uint32_t hash = 2166136261u;
    for (int i = 0; i < count * count; ++i) hash = (hash ^ out[i].v[op]) * 16777619u;
    printf("operation %2d: hash %08x, samples", op, hash);
    for (int i = 7; i < count * count; i += 57) printf(" %08x", out[i].v[op]);
    printf("\n");
  }
  cudaFree(d_values);
  cudaFree(d_out);
  return 0;
}
