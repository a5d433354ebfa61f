// A block stores its squares in bulk and goes on with them where it has stored them. That the store
// has read the tile is not enough: it has to be at its end.
#include <cuda/ptx>
namespace ptx = cuda::ptx;

constexpr int threads = 64;

__global__ void squares_and_sums(int* squares, int* sums) {
  __shared__ alignas(16) int tile[threads];
  const int t = threadIdx.x;
  int* own = squares + blockIdx.x * threads;
  tile[t] = t * t;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (t == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, own, tile, sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
  }
  __syncthreads();
  tile[t] = 0;
  int sum = 0;
  for (int i = 0; i <= t; ++i) sum += own[i];  // expect: race
  sums[blockIdx.x * threads + t] = sum;
}

int main() {
  const int blocks = 2, n = blocks * threads;
  int *squares, *sums;
  cudaMalloc(&squares, n * sizeof(int));
  cudaMalloc(&sums, n * sizeof(int));
  cudaMemset(squares, 0, n * sizeof(int));
  squares_and_sums<<<blocks, threads>>>(squares, sums);
  cudaDeviceSynchronize();
  cudaFree(squares);
  cudaFree(sums);
}
