/// \file
/// Patterns of atomics, reductions, asynchronous copies and accesses within a cluster, whose counts
/// are recorded on hardware.
///
/// Every launch is one pattern of one kernel. Lane i touches element ((i & keep) * stride) %
/// period, as in access_patterns.cu. Asynchronous copies have a second stride, for global memory,
/// and places that are shifted or exchanged; each of their warps has memory of its own, since of
/// two copies to one place the hardware counts one. All are volatile assembly, so that no compiler
/// merges, drops or aggregates them.
#include <cstdint>
#include <cstdio>
#include <cstring>

struct Pattern {
  const char* name;
  int stride;            ///< in elements
  int period;            ///< elements after which the pattern repeats
  std::uint32_t lanes;   ///< lanes that take part
  int keep;              ///< bits of the lane that count: the others make lanes share an element
  int global_stride;     ///< of copies, as what follows
  int flip = 0;          ///< bits of the lane that are inverted for shared memory
  int shift = 0;         ///< elements added in shared memory
  int global_shift = 0;  ///< elements added in global memory
  bool squared = false;  ///< the lane's square instead of the lane: uneven shares
};

__device__ std::uint32_t element_of(const Pattern& p) {
  const std::uint32_t lane = threadIdx.x & p.keep;
  return (p.squared ? lane * lane : lane) * p.stride % p.period;
}

__device__ bool takes_part(const Pattern& p) { return p.lanes >> threadIdx.x % 32 & 1; }

#define GLOBAL(NAME, BYTES, ...)                                              \
  __global__ void global_##NAME(char* data, Pattern p) {                      \
    char* at = data + element_of(p) * BYTES;                                  \
    [[maybe_unused]] std::uint64_t d, a = threadIdx.x % 3;                    \
    if (takes_part(p)) asm volatile(__VA_ARGS__ : "=l"(d) : "l"(at), "l"(a)); \
  }
#define SHARED(NAME, BYTES, ...)                                                              \
  __global__ void shared_##NAME(char*, Pattern p) {                                           \
    extern __shared__ char memory[];                                                          \
    std::uint32_t at =                                                                        \
        static_cast<std::uint32_t>(__cvta_generic_to_shared(memory)) + element_of(p) * BYTES; \
    [[maybe_unused]] std::uint64_t d, a = threadIdx.x % 3;                                    \
    if (takes_part(p)) asm volatile(__VA_ARGS__ : "=l"(d) : "r"(at), "l"(a));                 \
  }
#define NARROW "{ .reg .b32 x, y; cvt.u32.u64 y, %2; "
#define WIDEN " cvt.u64.u32 %0, x; }"
#define NO_RESULT " mov.b64 %0, 0; }"

GLOBAL(red_add_u32, 4, NARROW "red.relaxed.gpu.global.add.u32 [%1], y;" NO_RESULT)
GLOBAL(red_add_f32, 4, NARROW "red.relaxed.gpu.global.add.f32 [%1], y;" NO_RESULT)
GLOBAL(red_add_u64, 8, "{ red.relaxed.gpu.global.add.u64 [%1], %2;" NO_RESULT)
GLOBAL(red_add_f64, 8, "{ red.relaxed.gpu.global.add.f64 [%1], %2;" NO_RESULT)
GLOBAL(red_max_s32, 4, NARROW "red.relaxed.gpu.global.max.s32 [%1], y;" NO_RESULT)
GLOBAL(red_add_f16x2, 4, NARROW "red.relaxed.gpu.global.add.noftz.f16x2 [%1], y;" NO_RESULT)
GLOBAL(red_add_v4_f32, 16, NARROW "red.relaxed.gpu.global.add.v4.f32 [%1], {y, y, y, y};" NO_RESULT)
GLOBAL(red_add_v2_f32, 8, NARROW "red.relaxed.gpu.global.add.v2.f32 [%1], {y, y};" NO_RESULT)
GLOBAL(atom_add_u32, 4, NARROW "atom.relaxed.gpu.global.add.u32 x, [%1], y;" WIDEN)
GLOBAL(atom_add_f32, 4, NARROW "atom.relaxed.gpu.global.add.f32 x, [%1], y;" WIDEN)
GLOBAL(atom_add_u64, 8, "atom.relaxed.gpu.global.add.u64 %0, [%1], %2;")
GLOBAL(atom_exch_b32, 4, NARROW "atom.relaxed.gpu.global.exch.b32 x, [%1], y;" WIDEN)
GLOBAL(atom_cas_b32, 4, NARROW "atom.relaxed.gpu.global.cas.b32 x, [%1], y, 7;" WIDEN)
GLOBAL(atom_cas_b64, 8, "atom.relaxed.gpu.global.cas.b64 %0, [%1], %2, 7;")
SHARED(red_add_u32, 4, NARROW "red.shared.add.u32 [%1], y;" NO_RESULT)
SHARED(red_add_f32, 4, NARROW "red.shared.add.f32 [%1], y;" NO_RESULT)
SHARED(red_add_u64, 8, "{ red.shared.add.u64 [%1], %2;" NO_RESULT)
SHARED(red_max_s32, 4, NARROW "red.shared.max.s32 [%1], y;" NO_RESULT)
SHARED(atom_add_u32, 4, NARROW "atom.shared.add.u32 x, [%1], y;" WIDEN)
SHARED(atom_exch_b32, 4, NARROW "atom.shared.exch.b32 x, [%1], y;" WIDEN)
SHARED(atom_cas_b32, 4, NARROW "atom.shared.cas.b32 x, [%1], y, 7;" WIDEN)

/// Each warp has words of its own: no other makes an update fail, which is a loop in the machine
/// code.
#define ALONE(NAME, BYTES, ...)                                                             \
  __global__ void shared_alone_##NAME(char*, Pattern p) {                                   \
    extern __shared__ __align__(16) char memory[];                                          \
    const std::uint32_t at = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory)) + \
                             threadIdx.x / 32 * 16 * 1024 + element_of(p) * BYTES;          \
    [[maybe_unused]] std::uint64_t d, a = threadIdx.x % 3;                                  \
    if (takes_part(p)) asm volatile(__VA_ARGS__ : "=l"(d) : "r"(at), "l"(a));               \
  }
ALONE(red_add_f32, 4, NARROW "red.shared.add.f32 [%1], y;" NO_RESULT)
ALONE(atom_add_f32, 4, NARROW "atom.shared.add.f32 x, [%1], y;" WIDEN)
ALONE(red_add_f64, 8, "{ red.shared.add.f64 [%1], %2;" NO_RESULT)
ALONE(atom_add_f64, 8, "atom.shared.add.f64 %0, [%1], %2;")
ALONE(red_add_u64, 8, "{ red.shared.add.u64 [%1], %2;" NO_RESULT)
ALONE(atom_add_u64, 8, "atom.shared.add.u64 %0, [%1], %2;")
ALONE(red_max_u64, 8, "{ red.shared.max.u64 [%1], %2;" NO_RESULT)
ALONE(red_xor_b64, 8, "{ red.shared.xor.b64 [%1], %2;" NO_RESULT)
ALONE(red_add_f16x2, 4, NARROW "red.shared.add.noftz.f16x2 [%1], y;" NO_RESULT)
ALONE(red_add_bf16x2, 4, NARROW "red.shared.add.noftz.bf16x2 [%1], y;" NO_RESULT)
ALONE(red_add_f16, 2,
      "{ .reg .b16 x; cvt.u16.u64 x, %2; red.shared.add.noftz.f16 [%1], x;" NO_RESULT)

#define COPY(NAME, BYTES)                                                                          \
  __global__ void copy_##NAME(char* data, Pattern p) {                                             \
    extern __shared__ __align__(16) char memory[];                                                 \
    const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;                          \
    const std::uint32_t to = ((lane ^ p.flip) & p.keep) * p.stride % p.period + p.shift;           \
    std::uint32_t at = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory)) +              \
                       warp * 16 * 1024 + to * BYTES;                                              \
    const char* from =                                                                             \
        data + warp * 16 * 1024 + ((lane & p.keep) * p.global_stride + p.global_shift) * BYTES;    \
    if (takes_part(p))                                                                             \
      asm volatile("cp.async." #NAME ".shared.global [%0], [%1], " #BYTES ";" ::"r"(at), "l"(from) \
                   : "memory");                                                                    \
    asm volatile("cp.async.wait_all;" ::: "memory");                                               \
  }
namespace four {
COPY(ca, 4)
}
namespace eight {
COPY(ca, 8)
}
namespace sixteen {
COPY(ca, 16)
}
namespace bypass {
COPY(cg, 16)
}

#define CLUSTER(NAME, BYTES, ...)                                                               \
  __global__ void __cluster_dims__(2, 1, 1) cluster_##NAME(char*, Pattern p) {                  \
    extern __shared__ __align__(16) char memory[];                                              \
    std::uint32_t own =                                                                         \
        static_cast<std::uint32_t>(__cvta_generic_to_shared(memory)) + element_of(p) * BYTES;   \
    std::uint32_t at;                                                                           \
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"                                         \
                 : "=r"(at)                                                                     \
                 : "r"(own), "r"(blockIdx.x ^ 1));                                              \
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"); \
    [[maybe_unused]] std::uint64_t d, a = threadIdx.x % 3;                                      \
    if (takes_part(p)) asm volatile(__VA_ARGS__ : "=l"(d) : "r"(at), "l"(a));                   \
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"); \
  }
CLUSTER(ld_4, 4, NARROW "ld.volatile.shared::cluster.u32 x, [%1];" WIDEN)
CLUSTER(ld_16, 16, "{ .reg .b64 x; ld.volatile.shared::cluster.v2.u64 {%0, x}, [%1]; }")
CLUSTER(st_4, 4, NARROW "st.volatile.shared::cluster.u32 [%1], y;" NO_RESULT)
CLUSTER(st_16, 16, "{ st.volatile.shared::cluster.v2.u64 [%1], {%2, %2};" NO_RESULT)
CLUSTER(atom_4, 4, NARROW "atom.shared::cluster.add.u32 x, [%1], y;" WIDEN)
CLUSTER(red_4, 4, NARROW "red.shared::cluster.add.u32 [%1], y;" NO_RESULT)

struct Kernel {
  const char* name;
  const void* function;
};

#define KERNEL(NAME) \
  { #NAME, reinterpret_cast < const void*>(NAME) }

int main() {
  constexpr std::uint32_t all = 0xFFFFFFFF;
  constexpr int never = 1 << 20;
  const Kernel kernels[] = {KERNEL(global_red_add_u32),
                            KERNEL(global_red_add_f32),
                            KERNEL(global_red_add_u64),
                            KERNEL(global_red_add_f64),
                            KERNEL(global_red_max_s32),
                            KERNEL(global_red_add_f16x2),
                            KERNEL(global_red_add_v2_f32),
                            KERNEL(global_red_add_v4_f32),
                            KERNEL(global_atom_add_u32),
                            KERNEL(global_atom_add_f32),
                            KERNEL(global_atom_add_u64),
                            KERNEL(global_atom_exch_b32),
                            KERNEL(global_atom_cas_b32),
                            KERNEL(global_atom_cas_b64),
                            KERNEL(shared_red_add_u32),
                            KERNEL(shared_red_add_f32),
                            KERNEL(shared_red_add_u64),
                            KERNEL(shared_red_max_s32),
                            KERNEL(shared_atom_add_u32),
                            KERNEL(shared_atom_exch_b32),
                            KERNEL(shared_atom_cas_b32),
                            KERNEL(shared_alone_red_add_f32),
                            KERNEL(shared_alone_atom_add_f32),
                            KERNEL(shared_alone_red_add_f64),
                            KERNEL(shared_alone_atom_add_f64),
                            KERNEL(shared_alone_red_add_u64),
                            KERNEL(shared_alone_atom_add_u64),
                            KERNEL(shared_alone_red_max_u64),
                            KERNEL(shared_alone_red_xor_b64),
                            KERNEL(shared_alone_red_add_f16x2),
                            KERNEL(shared_alone_red_add_bf16x2),
                            KERNEL(shared_alone_red_add_f16),
                            {"copy_ca_4", reinterpret_cast<const void*>(four::copy_ca)},
                            {"copy_ca_8", reinterpret_cast<const void*>(eight::copy_ca)},
                            {"copy_ca_16", reinterpret_cast<const void*>(sixteen::copy_ca)},
                            {"copy_cg_16", reinterpret_cast<const void*>(bypass::copy_cg)},
                            KERNEL(cluster_ld_4),
                            KERNEL(cluster_ld_16),
                            KERNEL(cluster_st_4),
                            KERNEL(cluster_st_16),
                            KERNEL(cluster_atom_4),
                            KERNEL(cluster_red_4)};
  const Pattern patterns[] = {{"unit", 1, never, all, 31, 1},
                              {"one word", 0, never, all, 31, 1},
                              {"stride 2", 2, never, all, 31, 2},
                              {"stride 3", 3, never, all, 31, 1},
                              {"stride 8", 8, never, all, 31, 8},
                              {"stride 32", 32, never, all, 31, 1},
                              {"stride 33", 33, never, all, 31, 4},
                              {"pairs share", 1, never, all, 30, 1},
                              {"fours share", 1, never, all, 28, 1},
                              {"eights share", 1, never, all, 24, 1},
                              {"period 4", 1, 4, all, 31, 0},
                              {"period 8 of stride 32", 32, 256, all, 31, 1},
                              {"half warp", 1, never, 0xFFFF, 31, 1},
                              {"odd lanes of one word", 0, never, 0xAAAAAAAA, 31, 1},
                              {"one lane", 1, never, 1u << 13, 31, 1}};
  const Pattern of_copies[] = {{"neighbours exchanged", 1, never, all, 31, 1, 1},
                               {"pairs exchanged", 1, never, all, 31, 1, 2},
                               {"reversed", 1, never, all, 31, 1, 31},
                               {"exchanged across lines", 1, never, all, 31, 1, 8},
                               {"shared shifted by one", 1, never, all, 31, 1, 0, 1},
                               {"shared shifted by two", 1, never, all, 31, 1, 0, 2},
                               {"shared shifted by five", 1, never, all, 31, 1, 0, 5},
                               {"global shifted by one", 1, never, all, 31, 1, 0, 0, 1},
                               {"global shifted by three", 1, never, all, 31, 1, 0, 0, 3},
                               {"both shifted by one", 1, never, all, 31, 1, 0, 1, 1},
                               {"shared stride 3", 3, never, all, 31, 1},
                               {"shared stride 2", 2, never, all, 31, 1},
                               {"shared stride 5, exchanged", 5, never, all, 31, 1, 1},
                               {"global stride 2", 1, never, all, 31, 2},
                               {"global stride 2, shared shifted", 1, never, all, 31, 2, 0, 1},
                               {"global stride 3", 1, never, all, 31, 3},
                               {"one word to all", 1, never, all, 31, 0},
                               {"one word to four", 1, never, 0xF, 31, 0},
                               {"one word to two", 1, never, 3, 31, 0},
                               {"one word to two apart", 8, never, 3, 31, 0},
                               {"half a sector to eight", 1, 8, 0xFF, 31, 0},
                               {"two lanes to one place", 0, never, 3, 31, 1},
                               {"three lanes, shifted", 1, never, 7, 31, 1, 0, 1}};
  const auto square = [](const char* name, int stride, int period, std::uint32_t lanes) {
    return Pattern{name, stride, period, lanes, 31, 0, 0, 0, 0, true};
  };
  const Pattern of_loops[] = {square("squares over 7", 1, 7, all),
                              square("squares over 16", 1, 16, all),
                              square("squares over 33", 1, 33, all),
                              square("squares over 64", 1, 64, all),
                              square("squares over 96", 1, 96, 0xFF0F3355),
                              square("squares over 257", 3, 257, all),
                              square("squares over 1000", 5, 1000, all),
                              square("squares over 1024", 16, 1024, 0x7FFFFFFE),
                              square("squares over 320", 32, 320, all),
                              {"sixteen share", 1, never, all, 16, 1},
                              {"two words of one bank", 32, 64, all, 31, 1},
                              {"two words of two banks", 33, 66, all, 31, 1},
                              {"low lanes share", 1, never, all, 7, 1}};
  char* data = nullptr;
  const int bytes = 64 * 1024;
  if (cudaMalloc(&data, bytes) != cudaSuccess || cudaMemset(data, 0, bytes) != cudaSuccess)
    return 3;
  const auto launch = [&](const Kernel& kernel, Pattern pattern) {
    void* arguments[] = {&data, &pattern};
    cudaLaunchKernel(kernel.function, dim3(2), dim3(64), arguments, 33 * 1024, nullptr);
    std::printf("%s: %s\n", kernel.name, pattern.name);
  };
  for (const Kernel& kernel : kernels) {
    for (const Pattern& pattern : patterns) launch(kernel, pattern);
    if (std::strncmp(kernel.name, "shared_alone", 12) == 0)
      for (const Pattern& pattern : of_loops) launch(kernel, pattern);
    if (std::strncmp(kernel.name, "copy", 4) != 0) continue;
    for (const Pattern& pattern : of_copies) launch(kernel, pattern);
  }
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
