#include "simulator/machine/schedule/spin_waits.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/machine/schedule/idle_turns.h"

namespace warpwise::machine {

void SpinWaits::poll(std::uint64_t address, std::uint32_t weight) {
  constexpr std::uint32_t repeated = most_polls / 32;
  auto pc = static_cast<std::uint32_t>(here_.current_ - here_.program_.code.data());
  Group::Poll& last = here_.group_->last_poll;
  if (address) here_.group_->looked_pc = pc, here_.group_->looked_address = address;
  const bool is_repeated = last.pc == pc && last.address == address;
  const std::uint64_t changes =
      address && looks_at_global(address) ? here_.changes_for_others() : here_.changes_;
  if (is_repeated && last.changes == changes)
    weight = std::max(weight, repeated);
  else if (last.changes != changes || here_.group_->polls == 0)
    last = {pc, address, changes};
  if (is_repeated && address) weight *= here_.times_ = rounds_alike(address, weight);
  const std::uint32_t before = idle_turns(*here_.group_);
  here_.group_->polls += weight;
  if (idle_turns(*here_.group_) != before) here_.own_turn_ = {};
  here_.polls_ += weight;
}

void SpinWaits::give_way() {
  here_.group_->polls += most_polls;
  here_.polls_ = most_polls;
  here_.own_turn_ = {};
}

/// @param address that the current access looks at.
bool SpinWaits::looks_at_global(std::uint64_t address) const {
  const code::Space space = here_.program_.accesses[here_.current_->access].space;
  return space == code::Space::global ||
         (space == code::Space::generic && address < code::shared_window);
}

/// Rounds of a loop that waits in which nothing changes: the group is about to look at memory
/// again.
/// @param weight of each as a sign of waiting.
/// @return how many follow each other, this one with them, until the group or the warp has waited
/// for long. Counted is all that they do but the access.
std::uint32_t SpinWaits::rounds_alike(std::uint64_t address, std::uint32_t weight) {
  const code::Access& access = here_.program_.accesses[here_.current_->access];
  // A release publishes something else each time.
  const bool releases = access.is_store && (access.order == code::Order::release ||
                                            access.order == code::Order::acquire_release);
  if (!here_.grid_.has_one_history || here_.grid_.options.runs_every_round || here_.trace_ ||
      !looks_at_global(address) || releases || here_.warp_->undefined().any() ||
      here_.polls_ >= most_polls)
    return 1;
  const SpinLoop::SpinRead spin_read{
      runs_,
      static_cast<std::uint32_t>(here_.current_ - here_.program_.code.data()),
      here_.changes_,
      here_.accesses_made_,
      here_.diagnoses_.reported(),
      here_.block_->spent};
  if (!spin_loop_.is_again(spin_read, *here_.group_, here_.counters_)) {
    spin_loop_.begin(spin_read, *here_.group_, here_.counters_);
    return 1;
  }
  const std::uint64_t spent = std::max<std::uint64_t>(1, spin_loop_.spent(spin_read));
  const std::uint64_t until_look = here_.block_->next_look > here_.block_->spent
                                       ? (here_.block_->next_look - here_.block_->spent - 1) / spent
                                       : 0;
  const std::uint32_t left = most_polls - std::max(here_.polls_, here_.group_->polls % most_polls);
  const std::uint64_t more = std::min<std::uint64_t>(until_look, (left - 1) / weight);
  here_.counters_.repeat_since(spin_loop_.mark(), more);
  here_.block_->spent += more * spent;
  here_.accesses_made_ += more;
  spin_loop_.forget();
  return static_cast<std::uint32_t>(more) + 1;
}

void SpinWaits::sleep(const code::Instruction& instruction, std::uint32_t mask) {
  constexpr std::uint32_t most_nanoseconds = 1'000'000;
  std::uint32_t nanoseconds;
  std::memcpy(&nanoseconds, here_.warp_->slot(instruction.s[0]) + 4 * std::countr_zero(mask),
              sizeof nanoseconds);
  here_.block_->slept += std::min(nanoseconds, most_nanoseconds);
  poll(0, most_polls / 4);
}

}  // namespace warpwise::machine
