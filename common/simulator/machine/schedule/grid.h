#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "simulator/machine/launch/launch.h"
#include "simulator/watch/global/inter_block_races.h"

namespace warpwise::machine {

/// The position of the thread, block or cluster with that linear index; x goes first.
watch::Index3 position(std::uint64_t linear, const watch::Index3& extent);

class Module;

/// The state that all host threads of one launch share.
struct Grid {
  const code::Program& program;
  const Launch& launch;
  const Options& options;
  memory::AddressSpace& memory;
  std::uint64_t blocks;
  unsigned threads_per_block;
  std::uint32_t shared_bytes;  ///< static and dynamic
  /// Clusters that a runner keeps resident: more than one where blocks may wait for each other.
  std::uint64_t resident_clusters = 1;
  std::uint64_t cluster_blocks = 1;
  /// Blocks may synchronise: they run on one runner, and global memory has one history. Else no
  /// block comes before another, and they are compared when they have ended.
  bool has_one_history = false;
  std::unique_ptr<watch::InterBlockRaces> inter_block_races =
      nullptr;                   ///< null: nothing to compare
  bool wants_footprint = false;  ///< of all that was touched, for other work of the device
  bool wants_host_footprint = false;
  bool begins_early = false;                   ///< before the previous launch has ended
  unsigned laps_before = memory.laps();        ///< of the memory's search for addresses
  std::uint64_t start_time = 0;                ///< of the clock that all launches share
  std::atomic<std::uint64_t> next_cluster{0};  ///< that no runner has taken
  /// The lowest block that faulted: blocks after it need not run.
  std::atomic<std::uint64_t> faulted_block{~0ull};
  unsigned runners = 1;                    ///< at most
  std::function<void()> call_others = {};  ///< by the first, once it is worth it; empty: it is done
  std::atomic<std::uint64_t> executed{0};  ///< thread instructions, for the budget
  std::atomic<std::uint64_t> slept{0};     ///< nanoseconds, by blocks that have ended
  const Module* module = nullptr;          ///< that the kernel is in
  int device = 0;                          ///< that the launch runs on

  /// Clusters from `next` on, before `end`.
  struct Clusters {
    std::uint64_t next = 0, end = 0;
    bool empty() const { return next == end; }
  };
  /// The next ones for a runner, in order: many at first, because neighbours read the same lines of
  /// memory, and few at last, so that all runners end together.
  Clusters take_clusters();

  /// The linear index of a block by its place in a cluster. Both go by x first.
  std::uint64_t block_index(std::uint64_t cluster, std::uint64_t rank) const;

  /// Every runner may have a block that uses the whole budget; beyond that no block need be
  /// finished.
  bool over_budget() const {
    return options.budget && executed.load() / (runners + 1) > options.budget;
  }
};

/// Thrown where the hardware would stop the launch. The finding has been reported already.
struct LaunchFault {};

/// Thrown where the rest of a block does not matter, because the launch is stopped anyway.
struct Abandoned {};

}  // namespace warpwise::machine
