// Threads fill a tile, meet, and one of them lets it be copied in bulk, which reads shared memory
// another way than loads do: a barrier alone does not tell it of the stores.
#include <cuda/barrier>
#include <cuda/ptx>

constexpr int words = 64;

template <bool fences>
__global__ void store_tiles(int* out) {
  namespace ptx = cuda::ptx;
  __shared__ alignas(128) int tile[words];
  tile[threadIdx.x] = blockIdx.x * words + threadIdx.x;
  if (fences) ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  constexpr auto from = ptx::space_shared;
  constexpr auto to = ptx::space_global;
  ptx::cp_async_bulk(to, from, out + blockIdx.x * words, tile, sizeof tile);  // expect: race
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
}

int main() {
  int* out;
  cudaMalloc(&out, 4 * words * sizeof(int));
  store_tiles<true><<<4, words>>>(out);
  store_tiles<false><<<4, words>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
