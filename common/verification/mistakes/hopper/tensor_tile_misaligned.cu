// The second tile in shared memory begins 64 bytes after a multiple of 128.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cuda/ptx>

namespace ptx = cuda::ptx;
constexpr auto block = ptx::space_cluster;
constexpr auto global = ptx::space_global;

__global__ void edge(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tiles[2][8 * 32 + 16];
  float* tile = tiles[1];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_proxy_async();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    const int32_t at[2] = {0, 0};
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                   8 * 32 * sizeof(float));
    ptx::cp_async_bulk_tensor(block, global, tile, &map, at, &bar);  // expect: misaligned
  }
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult result;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault,
                                   &result);
  float *x, *out;
  cudaMalloc(&x, 32 * 64 * sizeof(float));
  cudaMalloc(&out, 4096);
  cudaMemset(x, 0, 32 * 64 * sizeof(float));
  CUtensorMap map{};
  const cuuint64_t dims[2] = {64, 32}, strides[1] = {64 * sizeof(float)};
  const cuuint32_t box[2] = {32, 8}, steps[2] = {1, 1};
  reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, x, dims, strides, box, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  edge<<<1, 32>>>(map, out);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(out);
}
