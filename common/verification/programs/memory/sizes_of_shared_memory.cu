// How much shared memory a block sees: in pieces of 128 bytes, and together with the part that the
// system keeps.
#include <cstdio>

extern __shared__ int dynamic_words[];

struct Sizes {
  unsigned total, dynamic, aggregate;
};

__device__ Sizes sizes() {
  Sizes result;
  asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(result.total));
  asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(result.dynamic));
  asm volatile("mov.u32 %0, %%aggr_smem_size;" : "=r"(result.aggregate));
  return result;
}

__global__ void none(Sizes* out) { *out = sizes(); }

template <int bytes>
__global__ void some(Sizes* out, unsigned more) {
  __shared__ char kept[bytes];
  kept[threadIdx.x % bytes] = 3;
  __syncthreads();
  *out = sizes();
  out->aggregate += more;
  if (more > 7) dynamic_words[more] = kept[more % bytes];
}

void show(Sizes* out) {
  cudaDeviceSynchronize();
  printf("%u %u %u\n", out->total, out->dynamic, out->aggregate);
}

int main() {
  Sizes* out;
  cudaMallocManaged(&out, sizeof(Sizes));
  for (int dynamic : {0, 1, 100, 128, 129, 257, 1000, 40001})
    none<<<1, 1, dynamic>>>(out), show(out);
  for (int dynamic : {0, 28, 100}) some<100><<<1, 1, dynamic>>>(out, 0), show(out);
  for (int dynamic : {1, 29, 200}) some<355><<<1, 1, dynamic>>>(out, 0), show(out);
  cudaFree(out);
}
