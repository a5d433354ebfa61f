/// \file
/// The results of instructions in which threads meet, copy asynchronously or update atomically, at
/// their edges. Printed as hexadecimal, one line per kernel: a GPU's output is what the simulator
/// has to print.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

using u64 = unsigned long long;

__device__ std::uint32_t address_of(const void* shared) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
}

/// Lanes 20 to 31 have returned; some of the others name them.
__global__ void match_exited(u64* out) {
  int t = threadIdx.x;
  if (t >= 20) return;
  int same;
  out[t] = __match_any_sync(0xffffffffu, t % 3);
  out[20 + t] = __match_all_sync(0xffffffffu, 5, &same);
  out[40 + t] = same;
  out[60 + t] = __ballot_sync(0xffffffffu, t & 1);
  out[80 + t] = __all_sync(0xffffffffu, 1);
}

__global__ void reduce(u64* out) {
  int t = threadIdx.x;
  unsigned mask = t % 2 ? 0xaaaaaaaau : 0x55555555u;
  int v = (t - 9) * 0x12345678;
  out[t] = static_cast<unsigned>(__reduce_add_sync(mask, v));
  out[32 + t] = static_cast<unsigned>(__reduce_min_sync(mask, v));
  out[64 + t] = __reduce_max_sync(mask, static_cast<unsigned>(v));
  out[96 + t] = __reduce_xor_sync(mask, static_cast<unsigned>(v));
}

__global__ void elected(u64* out) {
  int t = threadIdx.x;
  unsigned mask = t < 5 ? 0x1fu : t < 30 ? 0x3fffffe0u : 0xc0000000u, leader, is_leader;
  asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p; }"
               : "=r"(leader), "=r"(is_leader)
               : "r"(mask));
  out[t] = leader * 2 + is_leader;
}

/// Some threads of each warp have returned before the barriers.
__global__ void barrier_votes(u64* out) {
  int t = threadIdx.x;
  if (t % 32 >= 30) return;
  out[t] = __syncthreads_count(t % 3 == 0);
  out[64 + t] = __syncthreads_and(t % 32 < 30) * 2 + __syncthreads_or(t % 32 > 30);
  unsigned count;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 10; bar.red.popc.u32 %0, 1, 64, p; }"
               : "=r"(count)
               : "r"(t));
  out[128 + t] = count;
}

/// Pending counts of tokens and whether phases have ended, step by step. The bits of the words are
/// not documented.
__global__ void mbarrier_steps(u64* out) {
  __shared__ __align__(8) u64 bar;
  std::uint32_t at = address_of(&bar);
  int n = 0;
  auto pending = [&](u64 token) {
    unsigned count;
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
    out[n++] = count;
  };
  auto parity = [&](unsigned phase) {
    unsigned done;
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(at), "r"(phase)
        : "memory");
    out[n++] = done;
  };
  u64 token;
  asm volatile("mbarrier.init.shared.b64 [%0], 3;" ::"r"(at) : "memory");
  parity(0), parity(1);
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
  pending(token);
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 1;"
               : "=l"(token)
               : "r"(at)
               : "memory");
  pending(token);
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 48;" ::"r"(at) : "memory");
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
  pending(token);
  parity(0), parity(1);
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 48;" ::"r"(at) : "memory");
  parity(0), parity(1);
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
  pending(token);
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], 2;" : "=l"(token) : "r"(at) : "memory");
  pending(token);
  parity(0), parity(1);
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], 16;"
               : "=l"(token)
               : "r"(at)
               : "memory");
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");
}

/// Each case: what is there, what is added, where. f32: atom.add flushes subnormals or not.
template <bool shared>
__device__ void add_f32(u64* out, const std::uint32_t* cases, float* global) {
  __shared__ float own[32];
  int t = threadIdx.x;
  float* at = shared ? own + t : global + t;
  *at = __uint_as_float(cases[2 * t]);
  __syncwarp();
  float old = atomicAdd(at, __uint_as_float(cases[2 * t + 1]));
  __syncwarp();
  out[t] = __float_as_uint(*at);
  out[32 + t] = __float_as_uint(old);
}
__global__ void add_f32_global(u64* out, const std::uint32_t* cases, float* global) {
  add_f32<false>(out, cases, global);
}
__global__ void add_f32_shared(u64* out, const std::uint32_t* cases, float* global) {
  add_f32<true>(out, cases, global);
}
/// The same without a use of the result: a reduction.
__global__ void red_f32_global(u64* out, const std::uint32_t* cases, float* global) {
  int t = threadIdx.x;
  global[t] = __uint_as_float(cases[2 * t]);
  __syncwarp();
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(global + t),
               "f"(__uint_as_float(cases[2 * t + 1]))
               : "memory");
  __syncwarp();
  out[t] = __float_as_uint(global[t]);
}
__global__ void red_v4_f32(u64* out, const std::uint32_t* cases, float* global) {
  int t = threadIdx.x;
  for (int i = 0; i < 4; ++i) global[4 * t + i] = __uint_as_float(cases[2 * ((t + i) % 32)]);
  __syncwarp();
  float b[4];
  for (int i = 0; i < 4; ++i) b[i] = __uint_as_float(cases[2 * ((t + i) % 32) + 1]);
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(global + 4 * t), "f"(b[0]),
               "f"(b[1]), "f"(b[2]), "f"(b[3])
               : "memory");
  __syncwarp();
  for (int i = 0; i < 4; ++i) out[4 * t + i] = __float_as_uint(global[4 * t + i]);
}

#define HALVES(NAME, SPACE, OP, REGISTER)                                                       \
  __global__ void NAME(u64* out, const std::uint32_t* cases, float* global) {                   \
    __shared__ std::uint32_t own[32];                                                           \
    int t = threadIdx.x;                                                                        \
    auto* words = reinterpret_cast<std::uint32_t*>(global);                                     \
    words[t] = own[t] = cases[2 * t];                                                           \
    __syncwarp();                                                                               \
    std::uint32_t old;                                                                          \
    u64 at =                                                                                    \
        #SPACE[0] == 's' ? u64(address_of(own + t)) : u64(__cvta_generic_to_global(words + t)); \
    asm volatile("atom." #SPACE "." OP " %0, [%1], %2;"                                         \
                 : "=" REGISTER(old)                                                            \
                 : "l"(at), REGISTER(cases[2 * t + 1])                                          \
                 : "memory");                                                                   \
    __syncwarp();                                                                               \
    out[t] = #SPACE[0] == 's' ? own[t] : words[t];                                              \
    out[32 + t] = old;                                                                          \
  }
HALVES(add_f16x2_global, global, "add.noftz.f16x2", "r")
HALVES(add_f16x2_shared, shared, "add.noftz.f16x2", "r")
HALVES(add_bf16x2_global, global, "add.noftz.bf16x2", "r")
HALVES(add_bf16x2_shared, shared, "add.noftz.bf16x2", "r")

__global__ void min_max_f16x2(u64* out, const std::uint32_t* cases, float* global) {
  int t = threadIdx.x;
  auto* words = reinterpret_cast<std::uint32_t*>(global);
  for (int i = 0; i < 4; ++i) words[32 * i + t] = cases[2 * t];
  __syncwarp();
  std::uint32_t b = cases[2 * t + 1];
  asm volatile("red.global.min.noftz.v2.f16x2 [%0], {%1, %1};" ::"l"(words + 2 * t), "r"(b)
               : "memory");
  asm volatile("red.global.max.noftz.v2.bf16x2 [%0], {%1, %1};" ::"l"(words + 64 + 2 * t), "r"(b)
               : "memory");
  __syncwarp();
  for (int i = 0; i < 4; ++i) out[32 * i + t] = words[32 * i + t];
}

__global__ void small_and_large(u64* out) {
  __shared__ __align__(16) u64 wide[2];
  __shared__ unsigned short small[4];
  for (int i = 0; i < 4; ++i) small[i] = 0x1111 * (i + 1);
  wide[0] = 1, wide[1] = 2;
  unsigned short old;
  asm volatile("atom.shared.cas.b16 %0, [%1], %2, %3;"
               : "=h"(old)
               : "r"(address_of(small + 1)), "h"((unsigned short)0x2222),
                 "h"((unsigned short)0x9999)
               : "memory");
  out[0] = old, out[1] = small[0], out[2] = small[1], out[3] = small[2];
  asm volatile(
      "{ .reg .b128 a, b; .reg .b64 x, y; mov.b64 x, 7; mov.b64 y, 9; mov.b128 a, {x, y};"
      " atom.shared.exch.b128 b, [%2], a; mov.b128 {%0, %1}, b; }"
      : "=l"(out[4]), "=l"(out[5])
      : "r"(address_of(wide))
      : "memory");
  out[6] = wide[0], out[7] = wide[1];
}

/// Copies of fewer bytes than the size are filled with zeros; the source may be ignored.
__global__ void copies(u64* out) {
  __shared__ __align__(16) unsigned char s[96];
  for (int i = 0; i < 96; ++i) s[i] = 0xee;
  auto* words = reinterpret_cast<unsigned char*>(out + 64);
  for (int i = 0; i < 16; ++i) words[i] = static_cast<unsigned char>(i + 1);
  __threadfence();
  u64 from = __cvta_generic_to_global(words);
  std::uint32_t at = address_of(s);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(at + 8), "l"(from), "r"(3)
               : "memory");
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at + 16), "l"(from), "r"(0)
               : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(at + 32), "l"(from), "r"(13)
               : "memory");
  asm volatile(
      "{ .reg .pred p; setp.eq.u32 p, %2, 1; cp.async.ca.shared.global [%0], [%1], 16, p; }" ::"r"(
          at + 48),
      "l"(from), "r"(1)
      : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  for (int i = 0; i < 8; ++i) out[i] = *reinterpret_cast<u64*>(s + 8 * i);
}

/// Addresses in the cluster: whose memory they name.
__global__ void __cluster_dims__(4, 1, 1) cluster_addresses(u64* out) {
  __shared__ int s[4];
  std::uint32_t own = address_of(s), rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  u64* at = out + rank * 9;
  for (unsigned i = 0; i < 4; ++i) {
    std::uint32_t mapped, back;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(own), "r"(i));
    asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(back) : "r"(mapped));
    at[i] = back;
    u64 generic;
    unsigned in_block, in_cluster;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(generic) : "l"((u64)(void*)s), "r"(i));
    asm volatile(
        "{ .reg .pred p; isspacep.shared::cta p, %2; selp.u32 %0, 1, 0, p; "
        "isspacep.shared::cluster p, "
        "%2; selp.u32 %1, 1, 0, p; }"
        : "=r"(in_block), "=r"(in_cluster)
        : "l"(generic));
    at[4 + i] = in_block * 2 + in_cluster;
  }
  std::uint32_t self;
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(self) : "r"(own));
  at[8] = self;
}

/// Pairs for additions: f32, then f16x2 and bf16x2 read the same bits.
const std::uint32_t cases[64] = {
    0x00000001, 0x00000001, 0x80000001, 0x80000001, 0x00800000, 0x80000001, 0x00000001, 0x3f800000,
    0x80000000, 0x80000000, 0x80000000, 0x00000000, 0x00800001, 0x80800000, 0x007fffff, 0x00000001,
    0x7f7fffff, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc12345, 0x3f800000, 0x3f800000, 0xffc54321,
    0x7f812345, 0x00000000, 0x3f800000, 0x33800000, 0x3f800001, 0x33800000, 0x00000000, 0x00000001,
    0x7bff7bff, 0x7bff0001, 0x00010001, 0x00010001, 0x80008000, 0x80000000, 0x04000400, 0x80018001,
    0x7c00fc00, 0xfc007c00, 0x7e007d01, 0x3c003c00, 0x3c003c00, 0xfe01fd02, 0x3c001400, 0x10003c00,
    0x7f7f7f7f, 0x7f7f0001, 0x00800080, 0x80018001, 0x7f80ff80, 0xff807f80, 0x7fc17f81, 0x3f803f80,
    0x3f803f80, 0x3b803c00, 0x00010001, 0x007f007f, 0x3f813f80, 0x3b803b81, 0xc2280000, 0x42280000};

template <class... Arguments>
bool show(const char* name, void (*kernel)(Arguments...), unsigned blocks, unsigned threads,
          unsigned count, u64* out, const std::uint32_t* pairs, float* global) {
  std::vector<u64> values(count);
  cudaMemset(out, 0, 8 * 1024);
  cudaMemset(global, 0, 8 * 1024);
  void* arguments[] = {&out, &pairs, &global};
  cudaError_t error = cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                                       dim3(threads), arguments, 0, nullptr);
  if (error == cudaSuccess)
    error = cudaMemcpy(values.data(), out, 8 * count, cudaMemcpyDeviceToHost);
  std::printf("%s:", name);
  if (error != cudaSuccess) std::printf(" %s", cudaGetErrorString(error));
  for (u64 value : values) std::printf(" %llx", value);
  std::printf("\n");
  return error == cudaSuccess;
}

int main() {
  u64* out = nullptr;
  float* global = nullptr;
  std::uint32_t* pairs = nullptr;
  cudaMalloc(&out, 8 * 1024);
  cudaMalloc(&global, 8 * 1024);
  cudaMalloc(&pairs, sizeof cases);
  cudaMemcpy(pairs, cases, sizeof cases, cudaMemcpyHostToDevice);
  bool good = true;
#define SHOW(KERNEL, BLOCKS, THREADS, COUNT) \
  good &= show(#KERNEL, KERNEL, BLOCKS, THREADS, COUNT, out, pairs, global)
  SHOW(match_exited, 1, 32, 100);
  SHOW(reduce, 1, 32, 128);
  SHOW(elected, 1, 32, 32);
  SHOW(barrier_votes, 1, 64, 192);
  SHOW(mbarrier_steps, 1, 1, 13);
  SHOW(add_f32_global, 1, 32, 64);
  SHOW(add_f32_shared, 1, 32, 64);
  SHOW(red_f32_global, 1, 32, 32);
  SHOW(red_v4_f32, 1, 32, 128);
  SHOW(add_f16x2_global, 1, 32, 64);
  SHOW(add_f16x2_shared, 1, 32, 64);
  SHOW(add_bf16x2_global, 1, 32, 64);
  SHOW(add_bf16x2_shared, 1, 32, 64);
  SHOW(min_max_f16x2, 1, 32, 128);
  SHOW(small_and_large, 1, 1, 8);
  SHOW(copies, 1, 1, 8);
  SHOW(cluster_addresses, 4, 1, 36);
  return good ? 0 : 1;
}
