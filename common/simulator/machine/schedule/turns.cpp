#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <thread>

#include "simulator/machine/block_runner.h"
#include "simulator/machine/schedule/idle_turns.h"
#include "simulator/machine/schedule/state_hash.h"

/// Blocks take turns: one that only waits lets the next one start or go on. A launch whose blocks
/// do not talk to each other has one block resident at a time.
namespace warpwise::machine {
namespace {

bool is_ready(const Warp& warp) {
  return std::any_of(warp.groups.begin(), warp.groups.end(),
                     [](const Group& group) { return group.state == Group::State::ready; });
}

}  // namespace

void BlockRunner::run() {
  struct AtTheEnd {
    BlockRunner& runner;
    ~AtTheEnd() {
      runner.deferred_adds_.write();
      runner.uninitialized_.note_left_lanes();
    }
  } at_the_end{*this};
  std::size_t at = 0;  // whose turn it is; new blocks take theirs before old ones go on
  for (;;) {
    try {
      if (at == resident_.size() && !start_next()) {
        if (resident_.empty() || grid_.over_budget()) return;
        deadlocks_.end_round();
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
bool BlockRunner::start_next() {
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
std::uint64_t BlockRunner::room() const {
  std::uint64_t clusters = grid_.resident_clusters;
  if (clusters > 1 && grid_.options.neighbours && !grid_.launch.cooperative)
    clusters = std::clamp<std::uint64_t>(grid_.options.neighbours->room() / grid_.cluster_blocks, 1,
                                         clusters);
  return clusters * grid_.cluster_blocks;
}

void BlockRunner::retire(std::size_t position) {
  block_ = resident_[position].get();
  budget_.count_spent();
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
BlockRunner::Turn BlockRunner::take_turn(Block& block) {
  const bool others_wait = grid_.has_one_history && grid_.resident_clusters > 1;
  if (others_wait) spin_reads_before_writes_.begin_turn(block);
  const Turn turn = run_turn(block);
  if (others_wait && turn != Turn::finished) spin_reads_before_writes_.end_turn(block);
  return turn;
}

/// Runs the block until it ends or all its warps can do nothing but wait. They may meet at a
/// barrier between one look at memory and the next.
BlockRunner::Turn BlockRunner::run_turn(Block& block) {
  block_ = &block;
  std::uint64_t polls_between_barriers = 0;
  for (;;) {
    bool ran = false, only_polled = true;
    std::uint32_t most = 0;
    for (unsigned i = 0; i < block.warps.size(); ++i) {
      if (!is_ready(block.warps[i])) continue;
      run_warp(i);
      deadlocks_.look_at_time();
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

}  // namespace warpwise::machine
