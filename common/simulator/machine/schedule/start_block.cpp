// The state of a block that begins: its memory, its barriers, its warps.

#include <algorithm>
#include <cstring>

#include "simulator/machine/block_runner.h"
#include "simulator/machine/checks/validity.h"

namespace warpwise::machine {

void BlockRunner::start_block(Block& block, std::uint64_t index) {
  block_ = &block;
  block.index = index;
  block.spent = block.counted = block.slept = block.awake_at = 0;
  budget_.count_spent();
  if (uses_reserved_) block.reserved.assign(code::reserved_tiles_bytes, {});
  std::fill(std::begin(block.barriers), std::end(block.barriers), Block::Barrier{});
  block.mbarriers.clear();
  block.copies.start_block();
  block.arrived_copies.start_block();
  block.bulk_targets.start_block();
  if (watches_proxies_) block.ordinary_writes.begin(code::shared_base, grid_.shared_bytes);
  block.live_threads = grid_.threads_per_block;
  if (block.order) block.order->start_block(index);
  block.reserved_points.clear();
  other_launches_.start_block();
  races_.start_block(index);
  block.derived_from.clear();
  block.made_from_nothing.clear();
  block.texels_written.clear();
  if (grid_.shared_bytes) {
    std::memset(block.shared.data(), undefined_pattern, grid_.shared_bytes);
    std::fill(block.shared_validity.begin(), block.shared_validity.end(), never_written);
    if (block.races) block.races->start_block();
  }
  for (unsigned i = 0; i < block.warps.size(); ++i) {
    unsigned threads = std::min(32u, grid_.threads_per_block - 32 * i);
    block.warps[i].start(threads == 32 ? ~0u : (1u << threads) - 1);
    specials_.set(i, Specials::Of::block);
  }
}

}  // namespace warpwise::machine
