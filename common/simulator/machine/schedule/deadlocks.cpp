#include "simulator/machine/schedule/deadlocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <thread>

#include "simulator/machine/schedule/state_hash.h"

namespace warpwise::machine {
namespace {

bool reads_clock(const code::Program& program) {
  return std::any_of(program.code.begin(), program.code.end(),
                     [](const auto& instruction) { return instruction.op == code::Op::clock; });
}

}  // namespace

Deadlocks::Deadlocks(RunnerState& here, const Parts& parts)
    : here_(here), parts_(parts), reads_clock_(reads_clock(here.program_)) {}

void Deadlocks::expect_changes() {
  deadlock_detector_.forget();
  idle_rounds_ = 0;
  has_changed_within_ = false;
  restart_clocks();
}

void Deadlocks::restart_clocks() {
  idle_from_ = here_.resident_.empty() ? 0 : here_.resident_.front()->spent;
  all_idle_from_ = here_.grid_.executed;
  for (const auto& block : here_.resident_) block->awake_at = block->slept;
}

/// Code that waits and looks at a clock is never in a state that it was in before: it may wait for
/// a time. That all blocks have done nothing else for so long is taken for a deadlock. A block
/// that sleeps in between comes there sooner.
bool Deadlocks::only_clocks_go_on() const {
  constexpr std::uint64_t long_time = 1ull << 28, long_for_one = 1ull << 22;
  if (!reads_clock_) return false;
  const auto slept_long = [](const auto& block) {
    constexpr std::uint64_t nanoseconds = 1ull << 32;
    return block->slept - block->awake_at > nanoseconds;
  };
  return (here_.resident_.front()->spent - idle_from_ > long_for_one &&
          here_.grid_.executed - all_idle_from_ > long_time) ||
         std::any_of(here_.resident_.begin(), here_.resident_.end(), slept_long);
}

bool Deadlocks::waited_for(std::uint64_t thread_instructions) const {
  return reads_clock_ && here_.block_ == here_.resident_.front().get() && !host_may_help() &&
         here_.block_->spent - idle_from_ > thread_instructions;
}

/// A hash of where all resident warps are, what is in their registers and their own memory, and
/// whose turn is next.
/// @param with_shared what is in shared memory, as well.
std::uint64_t Deadlocks::fingerprint(bool with_shared) const {
  StateHash hash;
  for (const auto& block : here_.resident_) {
    hash.mix(block->index);
    for (Warp& warp : block->warps) hash.mix(warp);
    if (with_shared) hash.mix(block->shared);
  }
  return hash.value();
}

/// Nothing has changed that other blocks could see. Where blocks write into their own shared memory
/// meanwhile, such as what one thread has seen for all, that is a part of what they are in. Most
/// waits end within a few rounds, so what they are in is looked at now and then only.
bool Deadlocks::is_deadlocked() {
  constexpr std::uint64_t rounds_of_a_look = 8;
  const bool changed_within = here_.changes_within_ != changes_within_seen_;
  changes_within_seen_ = here_.changes_within_;
  if (changed_within) {
    restart_clocks();
    if (!has_changed_within_) deadlock_detector_.forget();  // Shared memory was no part of it.
    has_changed_within_ = true;
  }
  if (++idle_rounds_ % rounds_of_a_look > 0) return false;
  return deadlock_detector_.look(fingerprint(has_changed_within_)) || only_clocks_go_on();
}

void Deadlocks::end_round() {
  constexpr std::uint64_t most_busy_rounds = 256;
  const bool changed = here_.changes_for_others() != changes_seen_;
  if (changed) expect_changes();
  const bool stands = !changed && is_deadlocked();
  changes_seen_ = here_.changes_for_others();
  // A block that counts while it waits changes memory, and may still wait for another launch.
  if (!changed || ++busy_rounds_ % most_busy_rounds == 0) let_others_run(stands);
}

void Deadlocks::let_others_run(bool stands) {
  using Outlook = Neighbours::Outlook;
  Neighbours* const neighbours = here_.grid_.options.neighbours;
  // Blocks that share no data wait for no other block.
  if (!neighbours || !here_.grid_.has_one_history) {
    if (stands && !host_may_help()) report({});
    if (stands) wait_for_host();
    return;
  }
  const Outlook outlook =
      neighbours->let_others_run({here_.changes_for_others() != changes_reported_, stands,
                                  stands && host_may_help(), here_.resident_.size()});
  changes_reported_ = here_.changes_for_others();
  if (outlook == Outlook::unchanged) return;
  if (outlook == Outlook::given_up) throw Abandoned{};
  if (outlook == Outlook::deadlock) report(neighbours->others());
  ++here_.changes_;
  changes_seen_ = changes_reported_ = here_.changes_for_others();
  expect_changes();
  // Memory that was freed meanwhile must not be found there.
  std::fill(here_.cached_.begin(), here_.cached_.end(), nullptr);
  if (here_.grid_.options.time_is_over && *here_.grid_.options.time_is_over)
    if (const Group* group = go_where_one_looks()) report_time_over(group->mask);
}

/// True where a block looks at memory that the host shares with the device.
bool Deadlocks::host_may_help() const {
  for (const auto& block : here_.resident_)
    for (const Warp& warp : block->warps)
      for (const Group& group : warp.groups) {
        if (group.state != Group::State::ready) continue;
        const memory::Allocation* looked_at = here_.grid_.memory.find(group.looked_address);
        if (looked_at &&
            (memory::is_host_memory(looked_at->kind) || looked_at->kind == memory::Kind::managed))
          return true;
      }
  return false;
}

void Deadlocks::wait_for_host() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  expect_changes();
}

/// Goes to where the first thread waits that looks at memory, or at something else if none does.
/// One that only meets the others at a barrier has no place of its own.
/// @return null where there is none.
const Group* Deadlocks::go_where_one_looks() {
  const auto has_looked = [](const Group& group) { return group.looked_address != 0; };
  const auto any_has = [&](const Warp& warp) {
    return std::any_of(warp.groups.begin(), warp.groups.end(), has_looked);
  };
  const bool one_has =
      std::any_of(here_.resident_.begin(), here_.resident_.end(), [&](const auto& block) {
        return std::any_of(block->warps.begin(), block->warps.end(), any_has);
      });
  for (const auto& block : here_.resident_) {
    here_.block_ = block.get();
    for (unsigned i = 0; i < block->warps.size(); ++i)
      for (const Group& group : block->warps[i].groups) {
        if (group.state != Group::State::ready || (one_has && !has_looked(group))) continue;
        here_.warp_index_ = i;
        here_.current_ = &here_.program_.code[group.looked_pc];
        return &group;
      }
  }
  return nullptr;
}

bool Deadlocks::is_compare_and_swap(const code::Instruction& instruction) const {
  return instruction.op == code::Op::atomic &&
         here_.program_.accesses[instruction.access].atomic == code::AtomicOp::compare_and_swap;
}

/// ", 63 of them at a barrier (line 7)"; nothing where none waits at one.
std::string Deadlocks::at_barriers() const {
  std::uint32_t count = 0, pc = 0;
  for (const auto& block : here_.resident_)
    for (const Warp& warp : block->warps)
      for (const Group& group : warp.groups)
        if (group.state == Group::State::at_barrier) {
          count += static_cast<std::uint32_t>(std::popcount(group.mask));
          pc = group.pc;
        }
  if (count == 0) return {};
  return fmt::format(", {} of them at a barrier{}", count,
                     here_.line_text(here_.program_.code[pc]));
}

/// True where the thread is in a function of cooperative groups, such as grid.sync().
bool Deadlocks::is_in_group_function() const {
  const auto is_of_groups = [&](std::uint32_t place) {
    return here_.program_.places[place].is_groups;
  };
  if (is_of_groups(here_.current_->place)) return true;
  // Debug builds (-G) wait in a function of its own.
  for (const CallFrame* frame = &here_.warp_->frame(); frame && frame->caller;
       frame = frame->caller)
    if (is_of_groups(here_.program_.code[frame->return_pc - 1].place)) return true;
  return false;
}

std::uint64_t Deadlocks::blocks_not_begun() const {
  const std::uint64_t clusters = here_.grid_.blocks / here_.grid_.cluster_blocks,
                      taken = std::min(here_.grid_.next_cluster.load(), clusters);
  return (clusters - taken + here_.clusters_.end - here_.clusters_.next) *
         here_.grid_.cluster_blocks;
}

/// " 396 of the 528 blocks cannot begin ..."; nothing where all have begun.
std::string Deadlocks::not_begun() const {
  const std::uint64_t count = blocks_not_begun();
  if (count == 0) return {};
  return fmt::format(
      " {} of the {} blocks have not begun: the GPU holds no more at a time, and one "
      "begins when another has ended.",
      count, here_.grid_.blocks);
}

void Deadlocks::report(const std::string& others) {
  std::uint64_t threads = 0;
  for (const auto& block : here_.resident_) threads += block->live_threads;
  if (const Group* group = go_where_one_looks()) {
    std::string why = parts_.mbarriers.missing_arrivals(*group);
    here_.warp_ = &here_.block_->warps[here_.warp_index_];
    if (why.empty() && is_in_group_function())
      why = fmt::format(
          "a group's sync(), such as grid.sync(), waits here for threads that never come to it. "
          "Threads that still run: {}; all of them wait.{} All threads of the group have to call "
          "it, in all blocks: is it in a branch, or after a return?",
          threads, others);
    if (why.empty() && group->looked_address == 0) {
      here_.stand_at(*group);
      here_.fault(here_.finding(
          "timeout",
          fmt::format("this loop never ends: its threads do the same again and again{}, and the "
                      "memory they read does not change any more. What should end it?",
                      at_barriers().empty() ? "" : ", and meet at a barrier each time"),
          static_cast<unsigned>(std::countr_zero(group->mask))));
    }
    if (why.empty())
      why = fmt::format(
          "this loop waits for a value that no thread will write. Threads that still run: {}; all "
          "of them wait{}, and the memory they look at does not change any more.{}{} {}",
          threads, at_barriers(), others, not_begun(),
          blocks_not_begun() > 0
              ? "Launch no more blocks than run at once, or let no block wait for a later one."
          : is_compare_and_swap(*here_.current_)
              ? "If it is a lock: is it released on every path, and do all threads take several "
                "locks "
                "in one order?"
              : "Which thread should write it, and what does that thread wait for?");
    here_.fault(
        here_.finding("deadlock", why, static_cast<unsigned>(std::countr_zero(group->mask))));
  }
  here_.block_ = here_.resident_.front().get();
  parts_.barriers.report_deadlock();
}

const char* Deadlocks::trap_text() const {
  const bool is_grid_sync = !here_.grid_.launch.cooperative && is_in_group_function();
  return is_grid_sync ? "the grid cannot synchronise: this launch is not cooperative, so that its "
                        "blocks need not be on the GPU at the same time. Launch the kernel with "
                        "cudaLaunchCooperativeKernel, its arguments as a list of pointers."
                      : "the kernel stopped itself here (trap).";
}

void Deadlocks::look_at_time() {
  if (!here_.grid_.options.time_is_over || !*here_.grid_.options.time_is_over) return;
  for (const Group& group : here_.warp_->groups) {
    if (group.state != Group::State::ready) continue;
    here_.stand_at(group);
    report_time_over(group.mask);
  }
}

void Deadlocks::report_time_over(std::uint32_t lanes) {
  here_.fault(here_.finding(
      "timeout",
      "the launch was stopped, by its time limit or by Ctrl-C, and this thread was still "
      "running here. Does this loop end? What changes its condition?",
      static_cast<unsigned>(std::countr_zero(lanes))));
}

}  // namespace warpwise::machine
