/// \file
/// The host's part of head_map.h.
#include "head_map.h"
#include "lesson/device/error.h"

namespace lesson = warpwise::lesson;

namespace attention {

CUtensorMap head_map(const bf16* qkv, const Extents& e, int rows) {
  // The one function of the driver that a program of the runtime needs; found without -lcuda.
  static const auto encode = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    lesson::check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                                   cudaEnableDefault, &found));
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
  }();
  CUtensorMap map{};
  // From the fastest dimension on: columns, tokens, sequences.
  const cuuint64_t extents[] = {static_cast<cuuint64_t>(e.pitch()), static_cast<cuuint64_t>(e.T),
                                static_cast<cuuint64_t>(e.B)};
  const cuuint64_t row_bytes = extents[0] * sizeof(bf16);
  const cuuint64_t distances[] = {row_bytes, row_bytes * extents[1]};
  const cuuint32_t box[] = {head_size, static_cast<cuuint32_t>(rows), 1};
  const cuuint32_t every_element[] = {1, 1, 1};
  const CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 3, const_cast<bf16*>(qkv), extents, distances,
             box, every_element, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
             CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) lesson::check(cudaErrorInvalidValue);
  return map;
}

}  // namespace attention
