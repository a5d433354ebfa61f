// The toolkit's header of half numbers loads and stores them; the race is the program's all the
// same, between lanes of one warp too.
#include <cuda_fp16.h>

__global__ void broadcast_last(half2* out) {
  __shared__ half2 last;
  last = __float2half2_rn(static_cast<float>(threadIdx.x));  // expect: race
  __syncthreads();
  out[threadIdx.x] = last;
}

int main() {
  half2* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(half2));
  broadcast_last<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
