#include "simulator/machine/schedule/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "simulator/machine/schedule/state_hash.h"

namespace warpwise::machine {
namespace {

/// Thread instructions between two looks at the budget of the whole launch.
constexpr std::uint64_t budget_interval = 1'000'000;

}  // namespace

/// A loop that looks at nothing but its own values ends never once it has the same ones again.
void Budget::look_for_endless_loop(const Group& group) {
  if (here_.accesses_made_ != accesses_seen_) {
    endless_.forget();
    // Where the compiler does not optimise, a plain load in a loop may be what waits for another
    // warp.
    here_.polls_ = most_polls;
  }
  accesses_seen_ = here_.accesses_made_;
  StateHash hash;
  hash.mix(here_.block_->index);
  hash.mix(here_.warp_index_);
  hash.mix(*here_.warp_);
  if (!endless_.look(hash.value())) return;
  here_.stand_at(group);
  here_.fault(here_.finding(
      "timeout",
      "this loop never ends: its threads have the same values again that they had before, "
      "and look at no memory that others could change. What should end it? If it is "
      "another thread, the compiler must read the memory again: volatile, or an atomic.",
      static_cast<unsigned>(std::countr_zero(group.mask))));
}

void Budget::look(const Group& group) {
  if (here_.block_->spent < here_.block_->budget_look) return plan_look();
  count_spent();
  std::uint64_t budget = here_.grid_.options.budget;
  if (here_.block_->index > here_.grid_.faulted_block.load()) throw Abandoned{};
  if (budget && here_.block_->spent > budget) {
    if (deadlocks_.waited_for(budget / 2)) deadlocks_.report({});
    here_.stand_at(group);
    here_.fault(here_.finding(
        "timeout",
        fmt::format("this block used all {} thread instructions that the launch may use and "
                    "was stopped here. Does this loop end?",
                    budget),
        std::countr_zero(group.mask)));
  }
  if (here_.grid_.over_budget()) throw Abandoned{};
  if (here_.grid_.options.time_is_over && *here_.grid_.options.time_is_over) {
    here_.stand_at(group);
    deadlocks_.report_time_over(group.mask);
  }
  look_for_endless_loop(group);
}

void Budget::count_spent() {
  here_.grid_.executed += here_.block_->spent - here_.block_->counted;
  here_.block_->counted = here_.block_->spent;
  here_.block_->budget_look = here_.block_->spent + budget_interval;
  if (std::uint64_t budget = here_.grid_.options.budget; budget && here_.block_->spent <= budget)
    here_.block_->budget_look = std::min(here_.block_->budget_look, budget + 1);
  plan_look();
}

void Budget::plan_look() {
  const std::uint64_t enough = here_.grid_.options.worth_a_thread;
  here_.block_->next_look = here_.block_->budget_look;
  if (!is_first_ || !here_.grid_.call_others) return;
  // Most threads execute a good part of the kernel's text at least.
  const std::uint64_t expected =
      here_.grid_.blocks * here_.grid_.threads_per_block * here_.program_.code.size() / 8;
  const std::uint64_t executed =
      here_.grid_.executed + (here_.block_->spent - here_.block_->counted);
  if (std::max(executed, expected) >= enough)
    std::exchange(here_.grid_.call_others, nullptr)();
  else
    here_.block_->next_look = std::min(here_.block_->next_look, here_.block_->spent + enough / 4);
}

}  // namespace warpwise::machine
