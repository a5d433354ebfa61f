// The barrier expects twice the bytes that the copy brings.
#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__global__ void bulk(const int* x, int* y) {
  __shared__ alignas(128) int s[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0) {
    init(&b, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(s, x, cuda::aligned_size_t<16>(sizeof s), b);
    token = cuda::device::barrier_arrive_tx(b, 1, 2 * sizeof s);
  } else {
    token = b.arrive();
  }
  b.wait(std::move(token));  // expect: deadlock
  y[threadIdx.x] = s[threadIdx.x];
}

int main() {
  int *x, *y;
  cudaMalloc(&x, 256);
  cudaMalloc(&y, 256);
  cudaMemset(x, 0, 256);
  bulk<<<1, 64>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
