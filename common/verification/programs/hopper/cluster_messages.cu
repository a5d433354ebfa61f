// st.async, red.async and a multicast bulk copy to the shared memory of other blocks of a cluster,
// atomics there, mapa and getctarank, special registers of clusters.
#include <cstdint>
#include <cstdio>
__device__ uint32_t at(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ uint32_t map(uint32_t a, uint32_t r) {
  uint32_t v;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(v) : "r"(a), "r"(r));
  return v;
}
__device__ void sync() {
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
__global__ void __cluster_dims__(4) go(int* out, const int* in) {
  __shared__ alignas(16) int box[64];
  __shared__ alignas(8) uint64_t bar, bar2;
  __shared__ alignas(128) int cast[128];
  __shared__ unsigned ops[8];
  unsigned rank, n, cid, nc;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(cid));
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(nc));
  const int t = threadIdx.x;
  if (t == 0) {
    asm volatile(
        "mbarrier.init.shared.b64 [%0], 1; mbarrier.init.shared.b64 [%1], 1; "
        "fence.mbarrier_init.release.cluster;" ::"r"(at(&bar)),
        "r"(at(&bar2))
        : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(&bar)),
                 "r"(32 * 4 + 32 * 4 + 8)
                 : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 512;" ::"r"(at(&bar2)) : "memory");
  }
  if (t < 8) ops[t] = t == 3 ? 0xffffffffu : t == 5 ? 1000u : 0;
  box[t] = t < 32 ? 0 : 100;
  sync();
  const unsigned to = (rank + 1) % n;
  const uint32_t rb = map(at(&bar), to);
  if (t < 32)
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
            map(at(&box[t]), to)),
        "r"(t * 3 + rank), "r"(rb)
        : "memory");
  else
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, "
        "[%2];" ::"r"(map(at(&box[32 + t % 8]), to)),
        "r"(t), "r"(rb)
        : "memory");
  if (t == 5)
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.s32 [%0], %1, "
        "[%2];" ::"r"(map(at(&box[60]), to)),
        "r"(7000), "r"(rb)
        : "memory");
  if (t == 6)
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b32 [%0], %1, "
        "[%2];" ::"r"(map(at(&box[61]), to)),
        "r"(0x55), "r"(rb)
        : "memory");
  if (rank == 2 && t == 0)
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1], 512, [%2], %3;" ::"r"(at(cast)),
        "l"(in + cid * 128), "r"(at(&bar2)), "h"((uint16_t)0xf)
        : "memory");
  asm volatile(
      "{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra W; X: "
      "mbarrier.try_wait.parity.shared.b64 p, [%1], 0; @!p bra X; }" ::"r"(at(&bar)),
      "r"(at(&bar2))
      : "memory");
  int h = box[t] + cast[t] * 3 + cast[127 - t];
  const uint32_t o = map(at(ops), 0);
  unsigned old;
  asm volatile("atom.shared::cluster.add.u32 %0, [%1], 1;" : "=r"(old) : "r"(o) : "memory");
  asm volatile("red.shared::cluster.max.u32 [%0], %1;" ::"r"(o + 4), "r"(t * rank) : "memory");
  asm volatile("red.shared::cluster.or.b32 [%0], %1;" ::"r"(o + 8), "r"(1u << (t % 32)) : "memory");
  asm volatile("red.shared::cluster.and.b32 [%0], %1;" ::"r"(o + 12), "r"(~(1u << rank))
               : "memory");
  asm volatile("atom.shared::cluster.inc.u32 %0, [%1], 6;" : "=r"(old) : "r"(o + 16) : "memory");
  asm volatile("red.shared::cluster.min.u32 [%0], %1;" ::"r"(o + 20), "r"(t + 5) : "memory");
  asm volatile(
      "{ .reg .b32 x; atom.cluster.shared::cluster.cas.b32 x, [%0], %1, %2; }" ::"r"(o + 24),
      "r"(0), "r"(77)
      : "memory");
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  uint32_t back;
  asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(back) : "r"(map(at(ops), 3)));
  h += back;
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (t < 7) {
    unsigned v;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(o + 4 * t));
    h += v * 7;
  }
  sync();
  out[blockIdx.x * 64 + t] = h + cid + nc * 10;
}
int main() {
  int h[512], *d, *in, v[256];
  for (int i = 0; i < 256; ++i) v[i] = i * i % 97;
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&in, sizeof v);
  cudaMemcpy(in, v, sizeof v, cudaMemcpyDefault);
  go<<<8, 64>>>(d, in);
  cudaError_t e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDefault);
  for (int i = 0; i < 512; ++i) printf("%d%c", h[i], i % 64 == 63 ? '\n' : ' ');
  printf("%s\n", cudaGetErrorName(e));
  cudaFree(d);
  cudaFree(in);
}
