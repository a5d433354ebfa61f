#pragma once
#include <cuda.h>

#include "../ch06_tensor_cores/tensor_copy.h"
#include "layout.h"

/// \file
/// Boxes of one head's rows, copied by one thread: a tensor map of three dimensions.
namespace attention {

/// Describes qkv to the copy engine as columns x tokens x sequences. A box is 64 columns of `rows`
/// tokens of one sequence, its chunks laid out as in Swizzled<64>. Tokens past the end of a
/// sequence are zeros; with two dimensions they would be the next sequence's.
/// @param[in] qkv (B, T, 3C), 16 aligned, device. @pre rows <= 256
/// @throws Stop where the driver refuses.
CUtensorMap head_map(const bf16* qkv, const Extents& e, int rows);

/// Starts the copy of a box; its bytes count on the barrier.
/// @param to shared address, 1024 aligned. @param column, token, sequence where the box begins.
/// @source PTX manual, cp.async.bulk.tensor.
__device__ inline void start_head_box(unsigned to, const CUtensorMap& map, int column, int token,
                                      int sequence, tensor::StageBarrier* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(to),
      "l"(&map), "r"(column), "r"(token), "r"(sequence), "r"(tensor::shared_address(barrier))
      : "memory");
}

}  // namespace attention
