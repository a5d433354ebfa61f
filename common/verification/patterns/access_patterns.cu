/// \file
/// Memory access patterns whose counts are recorded on hardware:
/// common/verification/recorded/access_patterns.json.
///
/// Every launch is one pattern. Kernels differ in space, direction and width; the pattern itself is
/// in the parameters: lane i touches element (((i & keep) * stride) ^ flip) % period, `offset`
/// bytes on. The accesses are volatile assembly, so that no compiler can merge, drop or repeat
/// them.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Pattern {
  const char* name;
  int stride;  ///< in elements
  int period;  ///< elements after which the pattern repeats
  int flip;
  int offset;           ///< in bytes; only multiples of the width
  std::uint32_t lanes;  ///< lanes that take part
  int keep = 31;        ///< bits of the lane that count: the others make lanes share an element
};

__device__ std::uint32_t element_of(const Pattern& p) {
  return (((threadIdx.x & p.keep) * p.stride) ^ p.flip) % p.period;
}

__device__ bool takes_part(const Pattern& p) { return p.lanes >> threadIdx.x % 32 & 1; }

#define GLOBAL_LOAD(NAME, BYTES, ...)                                                            \
  __global__ void global_load_##NAME(const char* data, Pattern p) {                              \
    const char* at = data + p.offset + element_of(p) * BYTES;                                    \
    [[maybe_unused]] std::uint64_t a, b, c, d;                                                   \
    if (takes_part(p)) asm volatile(__VA_ARGS__ : "=l"(a), "=l"(b), "=l"(c), "=l"(d) : "l"(at)); \
  }
#define GLOBAL_STORE(NAME, BYTES, ...)                                         \
  __global__ void global_store_##NAME(char* data, Pattern p) {                 \
    char* at = data + p.offset + element_of(p) * BYTES;                        \
    std::uint64_t a = threadIdx.x % 32;                                        \
    if (takes_part(p)) asm volatile(__VA_ARGS__ ::"l"(at), "l"(a) : "memory"); \
  }
#define SHARED_LOAD(NAME, BYTES, ...)                                                            \
  __global__ void shared_load_##NAME(const char*, Pattern p) {                                   \
    extern __shared__ char memory[];                                                             \
    auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory));                    \
    std::uint32_t at = base + p.offset + element_of(p) * BYTES;                                  \
    [[maybe_unused]] std::uint64_t a, b, c, d;                                                   \
    if (takes_part(p)) asm volatile(__VA_ARGS__ : "=l"(a), "=l"(b), "=l"(c), "=l"(d) : "r"(at)); \
  }
#define SHARED_STORE(NAME, BYTES, ...)                                         \
  __global__ void shared_store_##NAME(char*, Pattern p) {                      \
    extern __shared__ char memory[];                                           \
    auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory));  \
    std::uint32_t at = base + p.offset + element_of(p) * BYTES;                \
    std::uint64_t a = threadIdx.x % 32;                                        \
    if (takes_part(p)) asm volatile(__VA_ARGS__ ::"r"(at), "l"(a) : "memory"); \
  }

GLOBAL_LOAD(1, 1,
            "{ .reg .u32 x; ld.volatile.global.u8 x, [%4]; cvt.u64.u32 %0, x; mov.u64 %1, 0; "
            "mov.u64 %2, 0; mov.u64 %3, 0; }")
GLOBAL_LOAD(2, 2,
            "{ .reg .u16 x; ld.volatile.global.u16 x, [%4]; cvt.u64.u16 %0, x; mov.u64 %1, 0; "
            "mov.u64 %2, 0; mov.u64 %3, 0; }")
GLOBAL_LOAD(4, 4,
            "{ .reg .u32 x; ld.volatile.global.u32 x, [%4]; cvt.u64.u32 %0, x; mov.u64 %1, 0; "
            "mov.u64 %2, 0; mov.u64 %3, 0; }")
GLOBAL_LOAD(8, 8,
            "{ ld.volatile.global.u64 %0, [%4]; mov.u64 %1, 0; mov.u64 %2, 0; mov.u64 %3, 0; }")
GLOBAL_LOAD(16, 16, "{ ld.volatile.global.v2.u64 {%0, %1}, [%4]; mov.u64 %2, 0; mov.u64 %3, 0; }")
GLOBAL_STORE(1, 1, "{ .reg .u32 x; cvt.u32.u64 x, %1; st.volatile.global.u8 [%0], x; }")
GLOBAL_STORE(2, 2, "{ .reg .u16 x; cvt.u16.u64 x, %1; st.volatile.global.u16 [%0], x; }")
GLOBAL_STORE(4, 4, "{ .reg .u32 x; cvt.u32.u64 x, %1; st.volatile.global.u32 [%0], x; }")
GLOBAL_STORE(8, 8, "st.volatile.global.u64 [%0], %1;")
GLOBAL_STORE(16, 16, "st.volatile.global.v2.u64 [%0], {%1, %1};")
SHARED_LOAD(1, 1,
            "{ .reg .u32 x; ld.volatile.shared.u8 x, [%4]; cvt.u64.u32 %0, x; mov.u64 %1, 0; "
            "mov.u64 %2, 0; mov.u64 %3, 0; }")
SHARED_LOAD(2, 2,
            "{ .reg .u16 x; ld.volatile.shared.u16 x, [%4]; cvt.u64.u16 %0, x; mov.u64 %1, 0; "
            "mov.u64 %2, 0; mov.u64 %3, 0; }")
SHARED_LOAD(4, 4,
            "{ .reg .u32 x; ld.volatile.shared.u32 x, [%4]; cvt.u64.u32 %0, x; mov.u64 %1, 0; "
            "mov.u64 %2, 0; mov.u64 %3, 0; }")
SHARED_LOAD(8, 8,
            "{ ld.volatile.shared.u64 %0, [%4]; mov.u64 %1, 0; mov.u64 %2, 0; mov.u64 %3, 0; }")
SHARED_LOAD(16, 16, "{ ld.volatile.shared.v2.u64 {%0, %1}, [%4]; mov.u64 %2, 0; mov.u64 %3, 0; }")
SHARED_STORE(1, 1, "{ .reg .u32 x; cvt.u32.u64 x, %1; st.volatile.shared.u8 [%0], x; }")
SHARED_STORE(2, 2, "{ .reg .u16 x; cvt.u16.u64 x, %1; st.volatile.shared.u16 [%0], x; }")
SHARED_STORE(4, 4, "{ .reg .u32 x; cvt.u32.u64 x, %1; st.volatile.shared.u32 [%0], x; }")
SHARED_STORE(8, 8, "st.volatile.shared.u64 [%0], %1;")
SHARED_STORE(16, 16, "st.volatile.shared.v2.u64 [%0], {%1, %1};")

struct Kernel {
  const char* name;
  void* function;
};

#define KERNELS(KIND)                                                                          \
  {#KIND "_1", (void*)KIND##_1}, {#KIND "_2", (void*)KIND##_2}, {#KIND "_4", (void*)KIND##_4}, \
      {#KIND "_8", (void*)KIND##_8}, {                                                         \
#KIND "_16", (void*)KIND##_16                                                              \
  }

int main() {
  constexpr std::uint32_t all = 0xFFFFFFFF;
  constexpr int never = 1 << 20;
  const Kernel kernels[] = {KERNELS(global_load), KERNELS(global_store), KERNELS(shared_load),
                            KERNELS(shared_store)};
  const Pattern patterns[] = {
      {"unit", 1, never, 0, 0, all},
      {"broadcast", 0, never, 0, 0, all},
      {"stride 2", 2, never, 0, 0, all},
      {"stride 3", 3, never, 0, 0, all},
      {"stride 4", 4, never, 0, 0, all},
      {"stride 8", 8, never, 0, 0, all},
      {"stride 16", 16, never, 0, 0, all},
      {"stride 17", 17, never, 0, 0, all},
      {"stride 32", 32, never, 0, 0, all},
      {"stride 33", 33, never, 0, 0, all},
      {"pairs", 1, 2, 0, 0, all},
      {"period 4", 1, 4, 0, 0, all},
      {"period 8", 1, 8, 0, 0, all},
      {"period 16", 1, 16, 0, 0, all},
      {"period 8 of stride 32", 32, 256, 0, 0, all},
      {"reversed", 1, never, 31, 0, all},
      {"offset 16", 1, never, 0, 16, all},
      {"offset 48 stride 5", 5, never, 0, 48, all},
      {"half warp", 1, never, 0, 0, 0xFFFF},
      {"odd lanes", 1, never, 0, 0, 0xAAAAAAAA},
      {"one lane", 1, never, 0, 0, 1u << 13},
      {"odd lanes of stride 2", 2, never, 0, 0, 0xAAAAAAAA},
      {"lanes 5 to 20", 1, never, 0, 0, 0x1FFFE0},
      {"two quarters of stride 8", 8, never, 0, 0, 0xFF0000FF},
      {"lanes 1 apart share", 1, never, 0, 0, all, 30},
      {"lanes 2 apart share", 1, never, 0, 0, all, 29},
      {"lanes 4 apart share", 1, never, 0, 0, all, 27},
      {"lanes 8 apart share", 1, never, 0, 0, all, 23},
      {"lanes 16 apart share", 1, never, 0, 0, all, 15},
      {"fours share", 1, never, 0, 0, all, 28},
      {"eights share", 1, never, 0, 0, all, 24},
      {"lanes 1 apart share, stride 8", 8, never, 0, 0, all, 30},
      {"lanes 2 apart share, stride 8", 8, never, 0, 0, all, 29},
      {"lanes 2 apart share, stride 3", 3, never, 0, 0, all, 29},
      {"fours share, stride 4", 4, never, 0, 0, all, 28},
      {"lanes 1 apart share, odd lanes", 1, never, 0, 0, 0xAAAAAAAA, 30},
      {"lanes 2 apart share, odd lanes", 1, never, 0, 0, 0xAAAAAAAA, 29},
      {"lanes 1 apart share, half warp", 1, never, 0, 0, 0xFFFF, 30},
      {"lanes 2 apart share, one lane out", 1, never, 0, 0, 0xFFFFFEFF, 29},
      {"lanes 1 apart share, even then odd", 1, never, 0, 0, 0x5555AAAA, 30},
      {"broadcast to odd lanes", 0, never, 0, 0, 0xAAAAAAAA},
      {"broadcast to two lanes", 0, never, 0, 0, 0x00010001},
      {"broadcast to a half", 0, never, 0, 0, 0xFFFF0000},
      {"pairs, one lane out", 1, 2, 0, 0, 0xFFFFFFFE}};
  char* data = nullptr;
  const int bytes = 64 * 1024;
  if (cudaMalloc(&data, bytes) != cudaSuccess || cudaMemset(data, 0, bytes) != cudaSuccess)
    return 3;
  for (const Kernel& kernel : kernels) {
    for (Pattern pattern : patterns) {
      void* arguments[] = {&data, &pattern};
      cudaLaunchKernel(kernel.function, dim3(2), dim3(64), arguments, 32 * 1024, nullptr);
      std::printf("%s: %s\n", kernel.name, pattern.name);
    }
  }
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
