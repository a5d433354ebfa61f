// A part of the tile that is added to global memory in bulk was never filled; and one that is, is
// added to memory that was never set.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

#define add_in_bulk(to, from, bytes) \
  ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, to, from, bytes)
#define copy_in_bulk(to, from, bytes) \
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to, from, bytes)

__global__ void half_filled(int* sums) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  add_in_bulk(sums, tile, sizeof tile);  // expect: uninitialized
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

__global__ void copied_half_filled(int* sums) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  copy_in_bulk(sums, tile, sizeof tile);  // expect: uninitialized
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

__global__ void onto_nothing(int* sums) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = tile[threadIdx.x + 32] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  add_in_bulk(sums, tile, sizeof tile);  // expect: uninitialized
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

// Right: all of the tile, onto zeros; or as much of it as was filled.
__global__ void filled(int* sums) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  add_in_bulk(sums, tile, 128);
  copy_in_bulk(sums + 32, tile, 128);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

int main() {
  int *sums, *unset;
  cudaMalloc(&sums, 256);
  cudaMalloc(&unset, 256);
  cudaMemset(sums, 0, 256);
  filled<<<1, 32>>>(sums);
  half_filled<<<1, 32>>>(sums);
  copied_half_filled<<<1, 32>>>(sums);
  onto_nothing<<<1, 32>>>(unset);
  cudaDeviceSynchronize();
  cudaFree(sums);
  cudaFree(unset);
}
