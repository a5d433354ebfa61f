// Fences of every reach and order: those that reach the whole system are counted as stores.
#include <cstdio>
#include <cuda/atomic>

#define KERNEL(name, ...)                                \
  __global__ void name(int* p) {                         \
    const int i = blockIdx.x * blockDim.x + threadIdx.x; \
    p[i] = i;                                            \
    __VA_ARGS__;                                         \
    p[i + 4096] = i;                                     \
  }
#define FENCE(what) asm volatile(what ";" ::: "memory")

KERNEL(acq_sys, FENCE("fence.acq_rel.sys"))
KERNEL(sc_gpu, FENCE("fence.sc.gpu"))
KERNEL(sc_sys, FENCE("fence.sc.sys"))
KERNEL(mem_sys, FENCE("membar.sys"))
KERNEL(tfs, __threadfence_system())
KERNEL(sc_sys3, FENCE("fence.sc.sys;fence.sc.sys"); p[i + 8192] = 2; FENCE("fence.sc.sys"))
KERNEL(
    sc_sys_some, if (threadIdx.x % 3 == 0) { FENCE("fence.sc.sys"); })
KERNEL(
    sc_sys_one, if (threadIdx.x == 0) { __threadfence_system(); })
KERNEL(at_sc, cuda::atomic_ref<int, cuda::thread_scope_system> r(p[i + 8192]);
       r.store(3, cuda::memory_order_seq_cst))
KERNEL(at_add, cuda::atomic_ref<int, cuda::thread_scope_system> r(p[i + 8192]);
       p[i + 12288] = r.fetch_add(3, cuda::memory_order_seq_cst))
KERNEL(at_load, cuda::atomic_ref<int, cuda::thread_scope_system> r(p[i + 8192]);
       p[i + 12288] = r.load(cuda::memory_order_seq_cst))
KERNEL(acq_gpu, FENCE("fence.acq_rel.gpu"))

int main() {
  int *p, sums[4] = {};
  cudaMalloc(&p, 4 * 16384);
#define RUN(name)                                                     \
  cudaMemset(p, 0, 4 * 16384);                                        \
  name<<<3, 96>>>(p);                                                 \
  for (int part = 0; part < 4; ++part) {                              \
    int h[288];                                                       \
    cudaMemcpy(h, p + 4096 * part, sizeof h, cudaMemcpyDeviceToHost); \
    sums[part] = 0;                                                   \
    for (int value : h) sums[part] += value;                          \
  }                                                                   \
  printf(#name " %d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
  RUN(acq_sys);
  RUN(sc_gpu);
  RUN(sc_sys);
  RUN(mem_sys);
  RUN(tfs);
  RUN(sc_sys3);
  RUN(sc_sys_some);
  RUN(sc_sys_one);
  RUN(at_sc);
  RUN(at_add);
  RUN(at_load);
  RUN(acq_gpu);
  cudaFree(p);
}
