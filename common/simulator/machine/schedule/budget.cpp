#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "simulator/machine/schedule/state_hash.h"
#include "simulator/machine/worker.h"

namespace warpwise::machine {
namespace {

/// Thread instructions between two looks at the budget of the whole launch.
constexpr std::uint64_t budget_interval = 1'000'000;

}  // namespace

/// A loop that looks at nothing but its own values ends never once it has the same ones again.
void Worker::look_for_endless_loop(const Group& group) {
  if (accesses_made_ != accesses_seen_) {
    endless_.forget();
    // Where the compiler does not optimise, a plain load in a loop may be what waits for another
    // warp.
    polls_ = most_polls;
  }
  accesses_seen_ = accesses_made_;
  StateHash hash;
  hash.mix(block_->index);
  hash.mix(warp_index_);
  hash.mix(*warp_);
  if (!endless_.look(hash.value())) return;
  stand_at(group);
  fault(
      finding("timeout",
              "this loop never ends: its threads have the same values again that they had before, "
              "and look at no memory that others could change. What should end it? If it is "
              "another thread, the compiler must read the memory again: volatile, or an atomic.",
              static_cast<unsigned>(std::countr_zero(group.mask))));
}

/// A block may use the whole budget, so that where it is stopped depends on no other block. A
/// launch whose blocks use more together is found at its end, or earlier where that is far off.
void Worker::look_at_budget(const Group& group) {
  if (block_->spent < block_->budget_look) return plan_look();
  count_spent();
  std::uint64_t budget = grid_.options.budget;
  if (block_->index > grid_.faulted_block.load()) throw Abandoned{};
  if (budget && block_->spent > budget) {
    if (waited_for(budget / 2)) report_standstill({});
    stand_at(group);
    fault(finding(
        "timeout",
        fmt::format("this block used all {} thread instructions that the launch may use and "
                    "was stopped here. Does this loop end?",
                    budget),
        std::countr_zero(group.mask)));
  }
  if (grid_.over_budget()) throw Abandoned{};
  if (grid_.options.time_is_over && *grid_.options.time_is_over) {
    stand_at(group);
    report_time_over(group.mask);
  }
  look_for_endless_loop(group);
}

void Worker::count_spent() {
  grid_.executed += block_->spent - block_->counted;
  block_->counted = block_->spent;
  block_->budget_look = block_->spent + budget_interval;
  if (std::uint64_t budget = grid_.options.budget; budget && block_->spent <= budget)
    block_->budget_look = std::min(block_->budget_look, budget + 1);
  plan_look();
}

void Worker::plan_look() {
  const std::uint64_t enough = grid_.options.worth_a_thread;
  block_->next_look = block_->budget_look;
  if (!is_first_ || !grid_.call_others) return;
  // Most threads execute a good part of the kernel's text at least.
  const std::uint64_t expected = grid_.blocks * grid_.threads_per_block * program_.code.size() / 8;
  const std::uint64_t executed = grid_.executed + (block_->spent - block_->counted);
  if (std::max(executed, expected) >= enough)
    std::exchange(grid_.call_others, nullptr)();
  else
    block_->next_look = std::min(block_->next_look, block_->spent + enough / 4);
}

}  // namespace warpwise::machine
