/// \file
/// The host's part of tensor_copy.h.
#include "lesson/device/error.h"
#include "tensor_copy.h"

namespace lesson = warpwise::lesson;

namespace tensor {

namespace {

/// A row-major matrix in swizzled boxes, 128 bytes in a row of each.
CUtensorMap map_of(CUtensorMapDataType type, std::size_t element_bytes, const void* matrix,
                   int rows, int columns, int box_rows) {
  // The one function of the driver that a program of the runtime needs; found without -lcuda.
  static const auto encode = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    lesson::check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                                   cudaEnableDefault, &found));
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
  }();
  CUtensorMap map{};
  // From the fastest dimension on: numbers of a row, rows.
  const cuuint64_t extents[] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)};
  const cuuint64_t row_bytes[] = {static_cast<cuuint64_t>(columns) * element_bytes};
  const cuuint32_t box[] = {static_cast<cuuint32_t>(128 / element_bytes),
                            static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t every_element[] = {1, 1};
  const CUresult result =
      encode(&map, type, 2, const_cast<void*>(matrix), extents, row_bytes, box, every_element,
             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
             CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) lesson::check(cudaErrorInvalidValue);
  return map;
}

}  // namespace

CUtensorMap tensor_map(const bf16* matrix, int rows, int K, int box_rows) {
  return map_of(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, sizeof(bf16), matrix, rows, K, box_rows);
}

CUtensorMap tensor_map_of_c(float* matrix, int rows, int N) {
  return map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, sizeof(float), matrix, rows, N, 16);
}

}  // namespace tensor
