#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <thread>

#include "simulator/machine/schedule/patience.h"
#include "simulator/machine/schedule/state_hash.h"
#include "simulator/machine/worker.h"

/// Blocks take turns: one that only waits lets the next one start or go on. A launch whose blocks
/// do not talk to each other has one block resident at a time.
namespace warpwise::machine {
namespace {

bool is_ready(const Warp& warp) {
  return std::any_of(warp.groups.begin(), warp.groups.end(),
                     [](const Group& group) { return group.state == Group::State::ready; });
}

}  // namespace

void Worker::run() {
  struct AtTheEnd {
    Worker& worker;
    ~AtTheEnd() {
      worker.deferred_adds_.write();
      worker.uninitialized_.note_left_lanes();
    }
  } at_the_end{*this};
  std::size_t at = 0;  // whose turn it is; new blocks take theirs before old ones go on
  for (;;) {
    try {
      if (at == resident_.size() && !start_next()) {
        if (resident_.empty() || grid_.over_budget()) return;
        end_round();
        at = 0;
      }
      if (take_turn(*resident_[at]) == Turn::finished)
        retire(at);
      else
        ++at;
    } catch (const Abandoned&) {
      return;
    } catch (const LaunchFault&) {
      std::uint64_t lowest = grid_.faulted_block.load();
      while (block_->index < lowest &&
             !grid_.faulted_block.compare_exchange_weak(lowest, block_->index)) {
      }
      // Blocks that wait for the one that faulted would wait forever.
      if (grid_.resident_clusters > 1) return;
      // They end before their time: the threads that accessed their shared memory are not to blame.
      for (auto& block : resident_) block->reached.reset();
      while (!resident_.empty()) retire(0);
      at = 0;
    }
  }
}

/// Starts the blocks of the next cluster, one block in most launches.
/// @return false where none is left, or it does not fit.
bool Worker::start_next() {
  const std::uint64_t size = grid_.cluster_blocks;
  if (resident_.size() + size > room()) return false;
  if (clusters_.empty()) clusters_ = grid_.take_clusters();
  if (clusters_.empty() || grid_.over_budget()) return false;
  const std::uint64_t cluster = clusters_.next++;
  if (grid_.block_index(cluster, 0) > grid_.faulted_block.load()) return false;
  if (resident_.empty()) races_.start_clusters();
  auto members = std::make_shared<Cluster>();
  for (std::uint64_t rank = 0; rank < size; ++rank) {
    if (spare_.empty()) {
      spare_.push_back(std::make_unique<Block>(grid_));
      block_ = spare_.back().get();
      for (unsigned warp = 0; warp < block_->warps.size(); ++warp)
        specials_.set(warp, Specials::Of::grid);
    }
    resident_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    members->blocks.push_back(resident_.back().get());
    resident_.back()->cluster = members;
    start_block(*resident_.back(), grid_.block_index(cluster, rank));
  }
  return true;
}

/// Blocks that may be resident now.
std::uint64_t Worker::room() const {
  std::uint64_t clusters = grid_.resident_clusters;
  if (clusters > 1 && grid_.options.neighbours && !grid_.launch.cooperative)
    clusters = std::clamp<std::uint64_t>(grid_.options.neighbours->room() / grid_.cluster_blocks, 1,
                                         clusters);
  return clusters * grid_.cluster_blocks;
}

void Worker::retire(std::size_t position) {
  block_ = resident_[position].get();
  count_spent();
  grid_.slept += block_->slept;
  cluster_.leave(*block_);
  if (grid_.options.finished_blocks) ++*grid_.options.finished_blocks;
  races_.finish_block(*block_);
  uninitialized_.finish_block(block_->index);
  spare_.push_back(std::move(resident_[position]));
  resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(position));
  ++changes_;
}

/// Where other blocks are also resident, it is kept what the block looks at while it waits.
Worker::Turn Worker::take_turn(Block& block) {
  const bool others_wait = grid_.has_one_history && grid_.resident_clusters > 1;
  if (others_wait) looks_.looks(block.index);
  const Turn turn = run_turn(block);
  if (others_wait && turn != Turn::finished) note_looks(block);
  return turn;
}

/// Runs the block until it ends or all its warps can do nothing but wait. They may meet at a
/// barrier between one look at memory and the next.
Worker::Turn Worker::run_turn(Block& block) {
  block_ = &block;
  std::uint64_t polls_between_barriers = 0;
  for (;;) {
    bool ran = false, only_polled = true;
    std::uint32_t most = 0;
    for (unsigned i = 0; i < block.warps.size(); ++i) {
      if (!is_ready(block.warps[i])) continue;
      run_warp(i);
      look_at_time();
      ran = true;
      only_polled &= polls_ >= most_polls;
      most = std::max(most, polls_);
    }
    bool met = barriers_.complete();
    if (block.live_threads == 0) return Turn::finished;
    polls_between_barriers += most;
    if (met && polls_between_barriers < most_polls) continue;
    if (met) return Turn::polled;
    if (!ran && grid_.cluster_blocks == 1) barriers_.report_deadlock();
    if (!ran) return Turn::waits;
    if (only_polled) return Turn::polled;
  }
}

/// Something has happened, or may, that others have waited for.
void Worker::expect_changes() {
  standstill_.forget();
  rounds_within_ = 0;
  restart_clocks();
}

void Worker::restart_clocks() {
  idle_from_ = resident_.empty() ? 0 : resident_.front()->spent;
  all_idle_from_ = grid_.executed;
  for (const auto& block : resident_) block->awake_at = block->slept;
}

/// Code that waits and looks at a clock is never in a state that it was in before: it may wait for
/// a time. That all blocks have done nothing else for so long is taken for a standstill. A block
/// that sleeps in between comes there sooner.
bool Worker::only_clocks_go_on() const {
  constexpr std::uint64_t long_time = 1ull << 28, long_for_one = 1ull << 22;
  if (!reads_clock_) return false;
  const auto slept_long = [](const auto& block) {
    constexpr std::uint64_t nanoseconds = 1ull << 32;
    return block->slept - block->awake_at > nanoseconds;
  };
  return (resident_.front()->spent - idle_from_ > long_for_one &&
          grid_.executed - all_idle_from_ > long_time) ||
         std::any_of(resident_.begin(), resident_.end(), slept_long);
}

/// True where the block has done nothing else but wait, and look at a clock, for so long.
bool Worker::waited_for(std::uint64_t thread_instructions) const {
  return reads_clock_ && block_ == resident_.front().get() && !host_may_help() &&
         block_->spent - idle_from_ > thread_instructions;
}

/// A hash of where all resident warps are, what is in their registers and their own memory, and
/// whose turn is next.
/// @param with_shared what is in shared memory, as well.
std::uint64_t Worker::fingerprint(bool with_shared) const {
  StateHash hash;
  for (const auto& block : resident_) {
    hash.mix(block->index);
    for (Warp& warp : block->warps) hash.mix(warp);
    if (with_shared) hash.mix(block->shared);
  }
  return hash.value();
}

/// Nothing has changed that other blocks could see. Where blocks write into their own shared memory
/// meanwhile, such as what one thread has seen for all, that is a part of what they are in; as a
/// block may as well be at work there, it is not looked at each time.
bool Worker::stands_still() {
  constexpr std::uint64_t rounds_of_a_look = 8;
  const bool changed_within = changes_within_ != changes_within_seen_;
  changes_within_seen_ = changes_within_;
  if (changed_within) {
    restart_clocks();
    if (rounds_within_ == 0) standstill_.forget();  // Shared memory was no part of it.
    if (++rounds_within_ % rounds_of_a_look > 0) return false;
  }
  return standstill_.look(fingerprint(rounds_within_ > 0)) || only_clocks_go_on();
}

/// All resident blocks have had their turns and wait.
void Worker::end_round() {
  constexpr std::uint64_t most_busy_rounds = 256;
  const bool changed = changes_for_others() != changes_seen_;
  if (changed) expect_changes();
  const bool stands = !changed && stands_still();
  changes_seen_ = changes_for_others();
  // A block that counts while it waits changes memory, and may still wait for another launch.
  if (!changed || ++busy_rounds_ % most_busy_rounds == 0) let_others_run(stands);
}

void Worker::let_others_run(bool stands) {
  using Outlook = Neighbours::Outlook;
  Neighbours* const neighbours = grid_.options.neighbours;
  // Blocks that share no data wait for no other block.
  if (!neighbours || !grid_.has_one_history) {
    if (stands && !host_may_help()) report_standstill({});
    if (stands) wait_for_host();
    return;
  }
  const Outlook outlook = neighbours->let_others_run(
      {changes_for_others() != changes_told_, stands, stands && host_may_help(), resident_.size()});
  changes_told_ = changes_for_others();
  if (outlook == Outlook::unchanged) return;
  if (outlook == Outlook::given_up) throw Abandoned{};
  if (outlook == Outlook::deadlock) report_standstill(neighbours->others());
  ++changes_;
  changes_seen_ = changes_told_ = changes_for_others();
  expect_changes();
  // Memory that was freed meanwhile must not be found there.
  std::fill(cached_.begin(), cached_.end(), nullptr);
  if (grid_.options.time_is_over && *grid_.options.time_is_over)
    if (const Group* group = go_where_one_looks()) report_time_over(group->mask);
}

/// True where a block looks at memory that the host shares with the device.
bool Worker::host_may_help() const {
  for (const auto& block : resident_)
    for (const Warp& warp : block->warps)
      for (const Group& group : warp.groups) {
        if (group.state != Group::State::ready) continue;
        const memory::Allocation* looked_at = grid_.memory.find(group.looked_address);
        if (looked_at &&
            (memory::is_host_memory(looked_at->kind) || looked_at->kind == memory::Kind::managed))
          return true;
      }
  return false;
}

void Worker::wait_for_host() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  expect_changes();
}

/// Goes to where the first thread waits that looks at memory, or at something else if none does.
/// One that only meets the others at a barrier has no place of its own.
/// @return null where there is none.
const Group* Worker::go_where_one_looks() {
  const auto has_looked = [](const Group& group) { return group.looked_address != 0; };
  const auto any_has = [&](const Warp& warp) {
    return std::any_of(warp.groups.begin(), warp.groups.end(), has_looked);
  };
  const bool one_has = std::any_of(resident_.begin(), resident_.end(), [&](const auto& block) {
    return std::any_of(block->warps.begin(), block->warps.end(), any_has);
  });
  for (const auto& block : resident_) {
    block_ = block.get();
    for (unsigned i = 0; i < block->warps.size(); ++i)
      for (const Group& group : block->warps[i].groups) {
        if (group.state != Group::State::ready || (one_has && !has_looked(group))) continue;
        warp_index_ = i;
        current_ = &program_.code[group.looked_pc];
        return &group;
      }
  }
  return nullptr;
}

bool Worker::is_compare_and_swap(const code::Instruction& instruction) const {
  return instruction.op == code::Op::atomic &&
         program_.accesses[instruction.access].atomic == code::AtomicOp::compare_and_swap;
}

/// ", 63 of them at a barrier (line 7)"; nothing where none waits at one.
std::string Worker::at_barriers() const {
  std::uint32_t count = 0, pc = 0;
  for (const auto& block : resident_)
    for (const Warp& warp : block->warps)
      for (const Group& group : warp.groups)
        if (group.state == Group::State::at_barrier) {
          count += static_cast<std::uint32_t>(std::popcount(group.mask));
          pc = group.pc;
        }
  if (count == 0) return {};
  return fmt::format(", {} of them at a barrier{}", count, line_text(program_.code[pc]));
}

/// True where the thread is in a function of cooperative groups, such as grid.sync().
bool Worker::is_in_group_function() const {
  const auto is_of_groups = [&](std::uint32_t place) { return program_.places[place].is_groups; };
  if (is_of_groups(current_->place)) return true;
  // Debug builds (-G) wait in a function of its own.
  for (const Frame* frame = &warp_->frame(); frame && frame->caller; frame = frame->caller)
    if (is_of_groups(program_.code[frame->return_pc - 1].place)) return true;
  return false;
}

std::uint64_t Worker::blocks_not_begun() const {
  const std::uint64_t clusters = grid_.blocks / grid_.cluster_blocks,
                      taken = std::min(grid_.next_cluster.load(), clusters);
  return (clusters - taken + clusters_.end - clusters_.next) * grid_.cluster_blocks;
}

/// " 396 of the 528 blocks cannot begin ..."; nothing where all have begun.
std::string Worker::not_begun() const {
  const std::uint64_t count = blocks_not_begun();
  if (count == 0) return {};
  return fmt::format(
      " {} of the {} blocks have not begun: the GPU holds no more at a time, and one "
      "begins when another has ended.",
      count, grid_.blocks);
}

/// Every resident block only waits, and nothing that it could wait for will happen.
/// @param others where other work of the device waits; may be empty.
void Worker::report_standstill(const std::string& others) {
  std::uint64_t threads = 0;
  for (const auto& block : resident_) threads += block->live_threads;
  if (const Group* group = go_where_one_looks()) {
    std::string why = mbarriers_.missing_arrivals(*group);
    warp_ = &block_->warps[warp_index_];
    if (why.empty() && is_in_group_function())
      why = fmt::format(
          "a group's sync(), such as grid.sync(), waits here for threads that never come to it. "
          "Threads that still run: {}; all of them wait.{} All threads of the group have to call "
          "it, in all blocks: is it in a branch, or after a return?",
          threads, others);
    if (why.empty() && group->looked_address == 0) {
      stand_at(*group);
      fault(finding(
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
          : is_compare_and_swap(*current_)
              ? "If it is a lock: is it released on every path, and do all threads take several "
                "locks "
                "in one order?"
              : "Which thread should write it, and what does that thread wait for?");
    fault(finding("deadlock", why, static_cast<unsigned>(std::countr_zero(group->mask))));
  }
  block_ = resident_.front().get();
  barriers_.report_deadlock();
}

/// Why the kernel may have stopped itself.
const char* Worker::trap_text() const {
  const bool is_grid_sync = !grid_.launch.cooperative && is_in_group_function();
  return is_grid_sync ? "the grid cannot synchronise: this launch is not cooperative, so that its "
                        "blocks need not be on the GPU at the same time. Launch the kernel with "
                        "cudaLaunchCooperativeKernel, its arguments as a list of pointers."
                      : "the kernel stopped itself here (trap).";
}

/// Few instructions may take long, such as updates of words that many threads have read.
void Worker::look_at_time() {
  if (!grid_.options.time_is_over || !*grid_.options.time_is_over) return;
  for (const Group& group : warp_->groups) {
    if (group.state != Group::State::ready) continue;
    stand_at(group);
    report_time_over(group.mask);
  }
}

void Worker::report_time_over(std::uint32_t lanes) {
  fault(finding("timeout",
                "the launch was stopped, by its time limit or by Ctrl-C, and this thread was still "
                "running here. Does this loop end? What changes its condition?",
                static_cast<unsigned>(std::countr_zero(lanes))));
}

}  // namespace warpwise::machine
