#pragma once
#include <cstdint>

namespace warpwise::code {

enum class Special : std::uint8_t {
  // Different in each block.
  ctaid_x,
  ctaid_y,
  ctaid_z,
  smid,
  local_start,  ///< generic address of the thread's local memory
  clusterid_x,
  clusterid_y,
  clusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_ctarank,
  last_of_block = cluster_ctarank,
  // The same in all blocks.
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_nctarank,
  is_explicit_cluster,
  laneid,
  warpid,
  nwarpid,
  nsmid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  aggr_smem_size,
  gridid,
  envreg1,  ///< this and the next: where the blocks of a cooperative launch meet
  envreg2,
  reserved_shared_end,    ///< the end of the used bytes before shared_base
  reserved_shared_cap,    ///< the end of those that there are
  reserved_shared_tiles,  ///< where cooperative groups keep the shared state of tiles of several
                          ///< warps
  zero,
  frame_base,  ///< local address at which the function's own frame starts
};

enum class Clock : std::uint8_t { block, global };

}  // namespace warpwise::code
