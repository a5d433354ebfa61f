// Boxes of eight rows, stored at a distance of six rows.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cuda/ptx>

namespace ptx = cuda::ptx;
constexpr auto block = ptx::space_shared;
constexpr auto global = ptx::space_global;

__global__ void blocks(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) float tile[8][32];
  for (int row = 0; row < 8; ++row) tile[row][threadIdx.x] = blockIdx.x;
  ptx::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x != 0) return;
  const int32_t at[2] = {0, 6 * (int)blockIdx.x};
  ptx::cp_async_bulk_tensor(global, block, &map, at, tile);  // expect: race
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

int main() {
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult result;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault,
                                   &result);
  float* x;
  cudaMalloc(&x, 32 * 64 * sizeof(float));
  cudaMemset(x, 0, 32 * 64 * sizeof(float));
  CUtensorMap map{};
  const cuuint64_t dims[2] = {64, 32}, strides[1] = {64 * sizeof(float)};
  const cuuint32_t box[2] = {32, 8}, steps[2] = {1, 1};
  reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, x, dims, strides, box, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  blocks<<<4, 32>>>(map);
  cudaDeviceSynchronize();
  cudaFree(x);
}
