// mbarriers without transaction counts: loops by parity, counts that are pending, arrivals that
// drop out, from another block of the cluster, and after cp.async.
#include <cstdint>
#include <cstdio>
__device__ uint32_t at(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void wait(uint32_t b, uint32_t parity) {
  asm volatile(
      "{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1, 1000; @p bra D; "
      "bra W; D: }" ::"r"(b),
      "r"(parity)
      : "memory");
}
__global__ void ping_pong(const int* in, int* out, int rounds) {
  __shared__ alignas(8) uint64_t bars[4];
  __shared__ int slot[2][32];
  const int w = threadIdx.x / 32, l = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int i = 0; i < 4; ++i)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(&bars[i])),
                   "r"(i < 2 ? 32 : 64)
                   : "memory");
  __syncthreads();
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    const int s = r & 1, ph = (r >> 1) & 1;
    if (w == 0) {
      wait(at(&bars[2 + s]), ph ^ 1);
      slot[s][l] = in[r * 32 + l];
      asm volatile("{ .reg .b64 t; mbarrier.arrive.shared::cta.b64 t, [%0]; }" ::"r"(at(&bars[s]))
                   : "memory");
    } else {
      wait(at(&bars[s]), ph);
      sum += slot[s][(l + w) & 31] * (r + w);
      asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(at(&bars[2 + s]))
                   : "memory");
    }
  }
  if (w) atomicAdd(out + w, sum);
  __syncthreads();
  if (threadIdx.x < 4)
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at(&bars[threadIdx.x])) : "memory");
}
__global__ void counts(unsigned* out) {
  __shared__ alignas(8) uint64_t b;
  unsigned a = at(&b);
  uint64_t t;
  unsigned n, k = 0, p;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 10;" ::"r"(a) : "memory");
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 3;" : "=l"(t) : "r"(a) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(t));
    out[k++] = n;
    asm volatile("mbarrier.arrive.noComplete.release.cta.shared.b64 %0, [%1], 2;"
                 : "=l"(t)
                 : "r"(a)
                 : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(t));
    out[k++] = n;
    asm volatile(
        "{ .reg .pred q; mbarrier.test_wait.shared.b64 q, [%1], %2; selp.u32 %0, 1, 0, q; }"
        : "=r"(p)
        : "r"(a), "l"(t)
        : "memory");
    out[k++] = p;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1], 4;" : "=l"(t) : "r"(a) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(t));
    out[k++] = n;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(t));
    out[k++] = n;
    asm volatile(
        "{ .reg .pred q; mbarrier.test_wait.shared.b64 q, [%1], %2; selp.u32 %0, 1, 0, q; }"
        : "=r"(p)
        : "r"(a), "l"(t)
        : "memory");
    out[k++] = p;
    asm volatile(
        "{ .reg .pred q; mbarrier.test_wait.parity.shared.b64 q, [%1], 0; selp.u32 %0, 1, 0, q; }"
        : "=r"(p)
        : "r"(a)
        : "memory");
    out[k++] = p;
    asm volatile(
        "{ .reg .pred q; mbarrier.test_wait.parity.shared.b64 q, [%1], 1; selp.u32 %0, 1, 0, q; }"
        : "=r"(p)
        : "r"(a)
        : "memory");
    out[k++] = p;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(t));
    out[k++] = n;
  }
}
__global__ void __cluster_dims__(2) remote(int* out) {
  __shared__ alignas(8) uint64_t b;
  __shared__ int v[64];
  unsigned rank, a = at(&b), ra;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(a) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
  unsigned rv;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(rv) : "r"(at(&v[threadIdx.x])), "r"(rank ^ 1));
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(ra) : "r"(a), "r"(rank ^ 1));
  for (int i = 0; i < 3; ++i) {
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(rv),
                 "r"(threadIdx.x * 10 + rank + i * 1000)
                 : "memory");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(ra)
                 : "memory");
    asm volatile(
        "{ .reg .pred p; W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1; "
        "@!p bra W; }" ::"r"(a),
        "r"(i & 1)
        : "memory");
    atomicAdd(out + blockIdx.x, v[63 - threadIdx.x] * (int)(threadIdx.x + 1));
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  }
}
__global__ void copies(const int* in, int* out) {
  __shared__ alignas(8) uint64_t b, c;
  __shared__ int v[96];
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(&b)), "r"(blockDim.x) : "memory");
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(&c)), "r"(blockDim.x) : "memory");
  }
  __syncthreads();
  int s = 0;
  for (int i = 0; i < 4; ++i) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&v[threadIdx.x])),
                 "l"(in + i * 96 + threadIdx.x)
                 : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&b)) : "memory");
    wait(at(&b), i & 1);
    s += v[95 - threadIdx.x] * (i + 1);
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(at(&c)) : "memory");
    asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(at(&c)) : "memory");
    wait(at(&c), i & 1);
  }
  out[threadIdx.x] = s;
}
int main() {
  int h[1024], *d, *o, r[128];
  for (int i = 0; i < 1024; ++i) h[i] = i * 13 % 101 - 50;
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&o, sizeof r);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  auto show = [&](int n) {
    cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) printf("%d ", r[i]);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaMemset(o, 0, sizeof r);
  };
  cudaMemset(o, 0, sizeof r);
  ping_pong<<<1, 96>>>(d, o, 30);
  show(4);
  counts<<<1, 32>>>((unsigned*)o);
  show(9);
  remote<<<4, 64>>>(o);
  show(4);
  copies<<<1, 96>>>(d, o);
  show(96);
  cudaFree(d);
  cudaFree(o);
}
