#include "simulator/machine/schedule/looks_before_changes.h"

#include <bit>

#include "simulator/machine/schedule/waiting_looks.h"

namespace warpwise::machine {
namespace {

bool is_in_global(const code::Access& access, std::uint64_t address) {
  return access.space == code::Space::global ||
         (access.space == code::Space::generic && address < code::shared_window);
}

}  // namespace

void LooksBeforeChanges::end_turn(const Block& block) {
  for (const Warp& warp : block.warps)
    for (const Group& group : warp.groups) {
      if (group.state != Group::State::ready || group.looked_address == 0) continue;
      const code::Instruction& look = here_.program_.code[group.looked_pc];
      if (look.op == code::Op::load &&
          is_in_global(here_.program_.accesses[look.access], group.looked_address))
        looks_.waits(block.index, group.looked_address);
    }
}

bool LooksBeforeChanges::lets_others_look(const code::Access& access, std::uint32_t mask) {
  if (!access.is_strong() || access.space == code::Space::frame) return false;
  alignas(64) std::uint64_t addresses[32];
  accesses_.lane_addresses(access, addresses);
  const std::uint64_t address = addresses[std::countr_zero(mask)];
  return is_in_global(access, address) && looks_.changes(here_.block_->index, address);
}

}  // namespace warpwise::machine
