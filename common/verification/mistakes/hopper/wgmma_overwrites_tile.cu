// architecture: 90a
// The next tile is stored where the product in flight still reads.
#include <cuda_bf16.h>

__device__ unsigned long long descriptor(const void* tile) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  return address >> 4 | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}

__device__ void multiply(float (&d)[4], unsigned long long a, unsigned long long b, int adds) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %6, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, "
      "0;}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(a), "l"(b), "r"(adds));
}

__global__ void products(float* y) {
  __shared__ alignas(128) __nv_bfloat16 tile[72 * 16];  // 64 rows of A, 8 columns of B
  float d[4];
  for (int round = 0; round < 2; ++round) {
    for (int i = threadIdx.x; i < 72 * 16; i += blockDim.x)
      tile[i] = __float2bfloat16(1.0f + round);  // expect: race
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    multiply(d, descriptor(tile), descriptor(tile + 64 * 16), round);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  y[threadIdx.x] = d[0];
}

int main() {
  float* y;
  cudaMalloc(&y, 128 * sizeof(float));
  products<<<1, 128>>>(y);
  cudaDeviceSynchronize();
  cudaFree(y);
}
