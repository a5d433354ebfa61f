// A producer warp and two consumer warps with bulk copies and mbarriers as libraries write them: a
// ring of three stages and their phases, the labels LAB_WAIT and DONE in each wait, elect.sync.
#include <cstdint>
#include <cstdio>
struct Barrier {
  uint64_t v;
  __device__ uint32_t at() const { return (uint32_t)__cvta_generic_to_shared(&v); }
  __device__ void init(uint32_t n) {
    asm volatile("mbarrier.init.shared::cta.b64 [%1], %0;" ::"r"(n), "r"(at()));
  }
  __device__ void wait(uint32_t phase) const {
    asm volatile(
        "{\n .reg .pred P1;\n LAB_WAIT:\n mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n "
        "@P1 bra DONE;\n bra LAB_WAIT;\n DONE:\n }" ::"r"(at()),
        "r"(phase)
        : "memory");
  }
  __device__ bool try_wait(uint32_t phase) const {
    uint32_t ok;
    asm volatile(
        "{ .reg .pred P1; mbarrier.try_wait.parity.shared::cta.b64 P1, [%1], %2; selp.b32 %0, 1, "
        "0, P1; }"
        : "=r"(ok)
        : "r"(at()), "r"(phase)
        : "memory");
    return ok;
  }
  __device__ void arrive() const {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at()) : "memory");
  }
  __device__ void expect(uint32_t bytes) const {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%1], %0;" ::"r"(bytes), "r"(at())
                 : "memory");
  }
};
__device__ bool elect() {
  uint32_t p;
  asm volatile("{ .reg .b32 r; .reg .pred q; elect.sync r|q, 0xffffffff; selp.u32 %0, 1, 0, q; }"
               : "=r"(p));
  return p;
}
constexpr int stages = 3, size = 256;
struct Storage {
  alignas(128) int data[stages][size];
  alignas(128) int result[size];
  Barrier full[stages], empty[stages];
};
__global__ void pipeline(const int* in, int* out, int tiles) {
  extern __shared__ __align__(128) char raw[];
  Storage& s = *(Storage*)raw;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) s.full[i].init(1), s.empty[i].init(64);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  int stage = 0;
  uint32_t phase = 0;
  if (warp == 0) {
    if (elect())
      for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        s.empty[stage].wait(phase ^ 1);
        s.full[stage].expect(size * 4);
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
            "[%3];" ::"r"((uint32_t)__cvta_generic_to_shared(s.data[stage])),
            "l"(in + t * size), "r"(size * 4), "r"(s.full[stage].at())
            : "memory");
        if (++stage == stages) stage = 0, phase ^= 1;
      }
    __syncwarp();
  } else {
    int acc[4] = {};
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
      if (!s.full[stage].try_wait(phase)) s.full[stage].wait(phase);
      for (int i = 0; i < 4; ++i)
        acc[i] += s.data[stage][(warp - 1) * 128 + i * 32 + lane] * (t + 1);
      s.empty[stage].arrive();
      if (++stage == stages) stage = 0, phase ^= 1;
    }
    for (int i = 0; i < 4; ++i) s.result[(warp - 1) * 128 + i * 32 + lane] = acc[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x == 32) {
      asm volatile(
          "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(out),
          "r"((uint32_t)__cvta_generic_to_shared(s.result)), "r"(size * 4)
          : "memory");
      asm volatile("cp.async.bulk.commit_group;");
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
  }
}
int main() {
  const int tiles = 40;
  static int h[tiles * size], r[size];
  for (int i = 0; i < tiles * size; ++i) h[i] = i * 37 % 1001 - 500;
  int *d, *o;
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&o, sizeof r);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyDefault);
  cudaMemset(o, 0, sizeof r);
  cudaFuncSetAttribute(pipeline, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Storage));
  pipeline<<<3, 96, sizeof(Storage)>>>(d, o, tiles);
  cudaError_t e = cudaMemcpy(r, o, sizeof r, cudaMemcpyDefault);
  long s = 0;
  for (int i = 0; i < size; ++i) s = s * 7 % 1000000007 + r[i];
  printf("%ld %d %d %s\n", s, r[0], r[255], cudaGetErrorName(e));
  cudaFree(d);
  cudaFree(o);
}
