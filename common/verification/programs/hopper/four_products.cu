// mma.m8n8k4 of half precision in all layouts and types: four products of 8 x 8 x 4 at once, of
// random numbers of many sizes, infinities, subnormal numbers and NaN. Results are hashed as bits.
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr unsigned kWarps = 24, kLanes = 32;

__device__ uint32_t mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}

__device__ uint32_t half_of(uint32_t h) {
  const uint32_t exponent = h >> 28 == 0 ? 0 : 15 + (int)((h >> 16) % 13) - 6;
  return (h & 0x83ff) | exponent << 10;
}
__device__ uint32_t two_halves(uint32_t i) {
  const uint32_t h = mix(i);
  return half_of(h) | half_of(mix(h ^ 0x1234567)) << 16;
}
__device__ uint32_t single(uint32_t i) {
  const uint32_t h = mix(i);
  return (h & 0x807fffff) | (127 + (int)(mix(h ^ 0x1234567) % 17) - 8) << 23;
}

/// One kernel: each warp multiplies its own matrices.
/// @param kSeed makes the kernels' numbers different.
template <int kSeed, unsigned kRegisters, class Multiply>
__device__ void fill_and_multiply(uint32_t* out, Multiply multiply) {
  constexpr bool kToSingle = kRegisters == 8;
  const uint32_t lane = threadIdx.x, warp = blockIdx.x;
  const uint32_t first = ((kSeed * 64 + warp) * kLanes + lane) * 8;
  uint32_t a[2], b[2], c[kRegisters];
  for (uint32_t k = 0; k < 2; ++k) {
    a[k] = two_halves(first + k);
    b[k] = two_halves(first + k + 5000000);
  }
  for (uint32_t k = 0; k < kRegisters; ++k) {
    const uint32_t i = first + k + 9000000;
    c[k] = warp == 0 ? 0 : kToSingle ? single(i) : two_halves(i);
  }
  if (warp == 3 && lane == 7) a[0] = 0x7c003c00;
  if (warp == 4 && lane == 9) a[0] = 0x7e013c00;
  multiply(a, b, c);
  for (uint32_t k = 0; k < kRegisters; ++k) {
    const bool is_nan = kToSingle && (c[k] & 0x7fffffff) > 0x7f800000;
    out[(warp * kLanes + lane) * kRegisters + k] = is_nan ? 0x7fffffff : c[k];
  }
}

#define TO_SINGLE(name, seed, layouts)                                                       \
  __global__ void name(uint32_t* out) {                                                      \
    fill_and_multiply<seed, 8>(out, [](uint32_t* a, uint32_t* b, uint32_t* c) {              \
      asm volatile("mma.sync.aligned.m8n8k4." layouts                                        \
                   ".f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, "        \
                   "{%0,%1,%2,%3,%4,%5,%6,%7};"                                              \
                   : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]), "+r"(c[4]), "+r"(c[5]), \
                     "+r"(c[6]), "+r"(c[7])                                                  \
                   : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));                            \
    });                                                                                      \
  }
#define TO_HALF(name, seed, layouts)                                                  \
  __global__ void name(uint32_t* out) {                                               \
    fill_and_multiply<seed, 4>(out, [](uint32_t* a, uint32_t* b, uint32_t* c) {       \
      asm volatile("mma.sync.aligned.m8n8k4." layouts                                 \
                   ".f16.f16.f16.f16 {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%0,%1,%2,%3};" \
                   : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])                   \
                   : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));                     \
    });                                                                               \
  }
TO_SINGLE(v884rc, 41, "row.col")
TO_SINGLE(v884cr, 42, "col.row")
TO_SINGLE(v884rr, 43, "row.row")
TO_SINGLE(v884cc, 44, "col.col")
TO_HALF(v884cr16, 45, "col.row")
TO_HALF(v884rc16, 46, "row.col")
TO_HALF(v884rr16, 47, "row.row")

/// To single precision from half precision.
__global__ void mixed(uint32_t* out) {
  const uint32_t lane = threadIdx.x, warp = blockIdx.x, first = warp * 999 + lane;
  const uint32_t a0 = two_halves(first), a1 = two_halves(first + 100);
  const uint32_t b0 = two_halves(first + 200), b1 = two_halves(first + 300);
  uint32_t c[4], d[8];
  for (uint32_t k = 0; k < 4; ++k) c[k] = two_halves(first + 400 + k * 50);
  asm volatile(
      "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, "
      "{%10,%11}, {%12,%13,%14,%15};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]),
        "=r"(d[7])
      : "r"(a0), "r"(a1), "r"(b0), "r"(b1), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
  for (uint32_t k = 0; k < 8; ++k) out[(warp * kLanes + lane) * 8 + k] = d[k];
}

/// Where each product goes: B has another number in each place.
__global__ void small(uint32_t* out) {
  const uint32_t lane = threadIdx.x, a0 = 0x3c003c00, b0 = lane << 10 | (lane + 5) << 26;
  float c[8] = {};
  asm volatile(
      "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, "
      "{%10,%11}, {%0,%1,%2,%3,%4,%5,%6,%7};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]),
        "+f"(c[7])
      : "r"(a0), "r"(0u), "r"(b0), "r"(0u));
  for (uint32_t k = 0; k < 8; ++k) out[lane * 8 + k] = __float_as_uint(c[k]);
}

void show(const char* name, void (*kernel)(uint32_t*), unsigned warps, unsigned registers,
          bool with_rows) {
  const size_t count = size_t{warps} * kLanes * registers;
  uint32_t* out;
  cudaMalloc(&out, count * sizeof(uint32_t));
  kernel<<<warps, kLanes>>>(out);
  std::vector<uint32_t> got(count);
  const cudaError_t error =
      cudaMemcpy(got.data(), out, count * sizeof(uint32_t), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(error));
  cudaFree(out);
  uint64_t hash = 1469598103934665603ull;
  for (uint32_t word : got)
    for (unsigned shift = 0; shift < 32; shift += 8)
      hash = (hash ^ (word >> shift & 0xff)) * 1099511628211ull;
  printf("%-22s %016llx %08x %08x %08x\n", name, (unsigned long long)hash, got[0], got[1], got[2]);
  if (!with_rows) return;
  for (unsigned warp : {0u, 1u, 5u})
    for (unsigned lane : {0u, 5u, 18u}) {
      for (unsigned k = 0; k < registers; ++k)
        printf(" %08x", got[(warp * kLanes + lane) * registers + k]);
      printf("\n");
    }
}

int main() {
  show("v884rc", v884rc, kWarps, 8, true);
  show("v884cr", v884cr, kWarps, 8, true);
  show("v884rr", v884rr, kWarps, 8, true);
  show("v884cc", v884cc, kWarps, 8, true);
  show("v884rr16", v884rr16, kWarps, 4, true);
  show("v884cr16", v884cr16, kWarps, 4, true);
  show("v884rc16", v884rc16, kWarps, 4, true);
  show("mixed", mixed, kWarps, 8, true);
  show("small", small, 1, 8, false);
}
