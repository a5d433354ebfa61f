#include "simulator/machine/schedule/spin_reads_before_writes.h"

#include <bit>

#include "simulator/machine/schedule/pending_spin_reads.h"

namespace warpwise::machine {
namespace {

bool is_in_global(const code::Access& access, std::uint64_t address) {
  return access.space == code::Space::global ||
         (access.space == code::Space::generic && address < code::shared_window);
}

}  // namespace

void SpinReadsBeforeWrites::end_turn(const Block& block) {
  for (const Warp& warp : block.warps)
    for (const Group& group : warp.groups) {
      if (group.state != Group::State::ready || group.looked_address == 0) continue;
      const code::Instruction& look = here_.program_.code[group.looked_pc];
      if (look.op == code::Op::load &&
          is_in_global(here_.program_.accesses[look.access], group.looked_address))
        spin_reads_.waits(block.index, group.looked_address);
    }
}

bool SpinReadsBeforeWrites::lets_others_read(const code::Access& access, std::uint32_t mask) {
  if (!access.is_strong() || access.space == code::Space::frame) return false;
  alignas(64) std::uint64_t addresses[32];
  accesses_.lane_addresses(access, addresses);
  const std::uint64_t address = addresses[std::countr_zero(mask)];
  return is_in_global(access, address) && spin_reads_.writes(here_.block_->index, address);
}

}  // namespace warpwise::machine
