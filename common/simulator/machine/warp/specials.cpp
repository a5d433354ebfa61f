#include "simulator/machine/warp/specials.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

using code::Special;

/// Shared memory is given to blocks in such pieces, and %total_smem_size counts them.
constexpr std::uint64_t shared_unit = 128;

bool depends_on_block(Special special) { return special <= Special::last_of_block; }

/// Values that are the same in every lane. @return nothing for those that are not.
std::optional<std::uint64_t> of_block(const Grid& grid, std::uint64_t index, Special special) {
  using S = Special;
  const watch::Index3 &threads = grid.launch.block, &blocks = grid.launch.grid,
                      &cluster = grid.launch.cluster;
  const watch::Index3 block = position(index, blocks);
  auto in_cluster = [&](int axis) { return block[axis] % cluster[axis]; };
  switch (special) {
    case S::ctaid_x:
      return block[0];
    case S::ctaid_y:
      return block[1];
    case S::ctaid_z:
      return block[2];
    case S::smid:
      return index % grid.options.multiprocessors;
    case S::clusterid_x:
      return block[0] / cluster[0];
    case S::clusterid_y:
      return block[1] / cluster[1];
    case S::clusterid_z:
      return block[2] / cluster[2];
    case S::cluster_ctaid_x:
      return in_cluster(0);
    case S::cluster_ctaid_y:
      return in_cluster(1);
    case S::cluster_ctaid_z:
      return in_cluster(2);
    case S::cluster_ctarank:
      return in_cluster(0) + cluster[0] * (in_cluster(1) + cluster[1] * in_cluster(2));
    case S::nclusterid_x:
      return blocks[0] / cluster[0];
    case S::nclusterid_y:
      return blocks[1] / cluster[1];
    case S::nclusterid_z:
      return blocks[2] / cluster[2];
    case S::cluster_nctaid_x:
      return cluster[0];
    case S::cluster_nctaid_y:
      return cluster[1];
    case S::cluster_nctaid_z:
      return cluster[2];
    case S::cluster_nctarank:
      return grid.cluster_blocks;
    case S::is_explicit_cluster:
      return grid.cluster_blocks > 1 ? ~0u : 0;
    case S::ntid_x:
      return threads[0];
    case S::ntid_y:
      return threads[1];
    case S::ntid_z:
      return threads[2];
    case S::nctaid_x:
      return blocks[0];
    case S::nctaid_y:
      return blocks[1];
    case S::nctaid_z:
      return blocks[2];
    case S::nwarpid:
      return 64;
    case S::nsmid:
      return grid.options.multiprocessors;
    case S::dynamic_smem_size:
      return grid.launch.dynamic_shared_bytes;
    case S::total_smem_size:
      return (grid.shared_bytes + shared_unit - 1) / shared_unit * shared_unit;
    case S::aggr_smem_size:
      return grid.shared_bytes + code::shared_base;  // with what is reserved
    case S::gridid:
      return 1;
    case S::envreg1:
      return grid.launch.grid_workspace >> 32;
    case S::envreg2:
      return grid.launch.grid_workspace & 0xffffffff;
    case S::reserved_shared_end:
      return code::reserved_tiles + code::reserved_tiles_bytes;
    case S::reserved_shared_cap:
      return code::shared_base;
    case S::reserved_shared_tiles:
      return code::reserved_tiles;
    case S::zero:
      return 0;
    default:
      return std::nullopt;
  }
}

std::uint64_t of_thread(const Grid& grid, std::uint64_t block, unsigned warp, unsigned lane,
                        Special special) {
  using S = Special;
  const watch::Index3 thread = position(warp * 32 + lane, grid.launch.block);
  const std::uint32_t bit = 1u << lane;
  switch (special) {
    case S::tid_x:
      return thread[0];
    case S::tid_y:
      return thread[1];
    case S::tid_z:
      return thread[2];
    case S::local_start:
      return code::local_start(block, warp * 32 + lane);
    case S::laneid:
      return lane;
    case S::warpid:
      return warp;
    case S::lanemask_eq:
      return bit;
    case S::lanemask_le:
      return bit | (bit - 1);
    case S::lanemask_lt:
      return bit - 1;
    case S::lanemask_ge:
      return ~(bit - 1);
    case S::lanemask_gt:
      return ~(bit | (bit - 1));
    default:
      return 0;
  }
}

}  // namespace

void Specials::set(unsigned index, Of changed) {
  Warp& warp = here_.block_->warps[index];
  for (const code::FrameLayout::SpecialSlot& special : warp.frame().layout.specials) {
    bool is_base = special.special == Special::frame_base;
    Of owner = is_base ? Of::call : depends_on_block(special.special) ? Of::block : Of::grid;
    if (owner != changed) continue;
    std::byte* slot = warp.slot(special.slot);
    auto same =
        is_base ? warp.frame().base : of_block(here_.grid_, here_.block_->index, special.special);
    if (special.bytes == 0) {
      std::memcpy(slot, &*same, sizeof(std::uint32_t));
      continue;
    }
    if (same && special.bytes == sizeof(std::uint32_t)) {
      std::fill_n(reinterpret_cast<std::uint32_t*>(slot), 32, static_cast<std::uint32_t>(*same));
      continue;
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
      std::uint64_t value =
          same ? *same : of_thread(here_.grid_, here_.block_->index, index, lane, special.special);
      std::memcpy(slot + lane * special.bytes, &value, special.bytes);
    }
  }
}

void Specials::read_clock(const code::Instruction& instruction, std::uint32_t mask) {
  const code::Instruction* entry = &instruction;
  while (entry->op != code::Op::enter) --entry;
  // A basic block is counted as a whole when it is entered.
  auto left =
      static_cast<std::int64_t>(here_.program_.block_sizes[entry->target]) - (&instruction - entry);
  std::uint64_t value = here_.block_->spent + here_.block_->slept -
                        static_cast<std::uint64_t>(std::max<std::int64_t>(left, 0));
  if (static_cast<code::Clock>(instruction.mode) == code::Clock::global)
    value += here_.grid_.start_time;
  if (instruction.d_bytes == 8) {
    auto* d = reinterpret_cast<std::uint64_t*>(here_.warp_->slot(instruction.d));
    for_lanes(mask, [&](unsigned lane) { d[lane] = value; });
  } else {
    auto* d = reinterpret_cast<std::uint32_t*>(here_.warp_->slot(instruction.d));
    for_lanes(mask, [&](unsigned lane) { d[lane] = static_cast<std::uint32_t>(value); });
  }
}

}  // namespace warpwise::machine
