// mbarrier objects by inline PTX: init, arrive, arrive with a count, test_wait, try_wait by phase,
// completion of asynchronous copies, pending counts, and a ring of them between two warps.
#include <cstdint>
#include <cstdio>

__device__ uint32_t at(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ void init(uint64_t* b, uint32_t count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(count) : "memory");
}

__device__ uint64_t arrive(uint64_t* b) {
  uint64_t state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at(b)) : "memory");
  return state;
}

__device__ bool test_wait(uint64_t* b, uint64_t state) {
  uint32_t done;
  asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
               : "=r"(done)
               : "r"(at(b)), "l"(state)
               : "memory");
  return done;
}

__device__ void wait_parity(uint64_t* b, uint32_t parity) {
  uint32_t done;
  do {
    asm volatile(
        "{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
        : "=r"(done)
        : "r"(at(b)), "r"(parity)
        : "memory");
  } while (!done);
}

__global__ void phases(int* out) {
  __shared__ uint64_t barrier;
  __shared__ int data[64];
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 5; ++round) {
    data[t] = t * (round + 1);
    const uint64_t state = arrive(&barrier);
    while (!test_wait(&barrier, state)) {
    }
    sum = sum * 2 + data[(t + 17) % 64];
    const uint64_t second = arrive(&barrier);
    while (!test_wait(&barrier, second)) {
    }
  }
  out[t] = sum;
}

__global__ void counts(unsigned* out) {
  __shared__ uint64_t b;
  if (threadIdx.x == 0) {
    init(&b, 6);
    uint64_t state;
    uint32_t pending;
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 2;"
                 : "=l"(state)
                 : "r"(at(&b))
                 : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
    out[0] = pending;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 3;" : "=l"(state) : "r"(at(&b)) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
    out[1] = pending;
    out[2] = test_wait(&b, state);
    state = arrive(&b);
    out[3] = test_wait(&b, state);
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1], 2;"
                 : "=l"(state)
                 : "r"(at(&b))
                 : "memory");
    out[4] = test_wait(&b, state);
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 4;" : "=l"(state) : "r"(at(&b)) : "memory");
    out[5] = test_wait(&b, state);
    // The dropped participants are gone for good: four complete this phase.
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 4;" : "=l"(state) : "r"(at(&b)) : "memory");
    out[6] = test_wait(&b, state);
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at(&b)) : "memory");
  }
}

__global__ void copies(const int4* in, int4* out) {
  __shared__ uint64_t b;
  __shared__ int4 tile[32];
  const int t = threadIdx.x;
  if (t == 0) init(&b, 32);
  __syncthreads();
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(tile + t)), "l"(in + t)
               : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&b)) : "memory");
  wait_parity(&b, 0);
  out[t] = tile[31 - t];
}

constexpr int kStages = 3;

__global__ void ring(const int* in, int rounds, int* out) {
  __shared__ uint64_t full[kStages], empty[kStages];
  __shared__ int slot[kStages][32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < kStages) init(&full[threadIdx.x], 32), init(&empty[threadIdx.x], 32);
  __syncthreads();
  if (threadIdx.x >= 32) {
    for (int r = 0; r < rounds; ++r) {
      const int s = r % kStages;
      wait_parity(&empty[s], ((r / kStages) & 1) ^ 1);
      slot[s][lane] = in[r * 32 + lane];
      arrive(&full[s]);
    }
  } else {
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
      const int s = r % kStages;
      wait_parity(&full[s], (r / kStages) & 1);
      sum = sum * 5 + slot[s][lane ^ 1];
      arrive(&empty[s]);
    }
    out[lane] = sum;
  }
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 640 * sizeof(int));
  cudaMallocManaged(&out, 640 * sizeof(int));
  for (int i = 0; i < 640; ++i) in[i] = i * 11 % 223;
  auto show = [&](const char* title, int n) {
    printf("%s: %s", title, cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < n; ++i) printf(" %d", out[i]);
    printf("\n");
  };
  phases<<<1, 64>>>(out);
  show("phases", 64);
  counts<<<1, 32>>>((unsigned*)out);
  show("counts", 7);
  copies<<<1, 32>>>((int4*)in, (int4*)out);
  show("copies", 128);
  ring<<<1, 64>>>(in, 20, out);
  show("ring", 32);
  cudaFree(in);
  cudaFree(out);
}
