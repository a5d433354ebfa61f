#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simulator/watch/access_event.h"

namespace warpwise::watch {

/// Finds unordered conflicting accesses to a block's shared memory by happens-before.
///
/// Each warp has a clock that advances when it synchronises. known[w][v] is the latest clock of
/// warp v whose accesses come before everything warp w does now. Inside a warp a bar.warp.sync of
/// all its lanes orders everything before it; one of some lanes orders those lanes among each
/// other. Order that fences and atomics make is not known here.
class SharedRaces {
 public:
  /// A conflict: this access against an earlier one of another thread.
  struct Race {
    unsigned lane;  ///< of the later access
    std::uint64_t address;
    unsigned other_thread;  ///< linear index in the block
    bool other_is_store;
    std::uint32_t other_site;
  };
  /// Tells whether the lane stores what another lane of the same instruction stores, or (other =
  /// none) what the memory holds already: equal values do not race.
  static constexpr unsigned none = 32;
  using StoresSameValue = std::function<bool(unsigned lane, unsigned other)>;

  /// @param narrow true where the program has shared accesses of less than 4 bytes.
  SharedRaces(std::uint32_t base, std::uint32_t bytes, unsigned warps, bool narrow);

  /// The next block starts: nothing races with what came before.
  void start_block();
  /// Checks and records. Call before a store changes the memory.
  std::optional<Race> access(unsigned warp, const AccessEvent& event, const StoresSameValue& same);

  /// All warps of the mask met at a barrier.
  void block_barrier(std::uint32_t warps);
  /// @param all true where the lanes are all that the warp has left.
  void warp_barrier(unsigned warp, std::uint32_t lanes, bool all);

 private:
  /// Lanes of one warp that read, or wrote strongly, by one instruction between two
  /// synchronisations.
  struct Access {
    std::uint32_t clock = 0, lanes = 0, site = 0;
    std::uint16_t warp = 0;
    bool weak = false;
    bool store = false;
  };
  /// What is remembered of one word: the last weak write, and all that came after it. Whoever is
  /// ordered after that write is ordered after all that came before it.
  struct Cell {
    std::uint32_t writer = 0;       ///< thread index
    std::uint32_t write_clock = 0;  ///< 0: never written
    std::uint32_t write_site = 0;
    bool many = false;  ///< more accesses in more_
    std::uint64_t write_event = 0;
    Access access;  ///< lanes 0: none
  };
  struct LaneClocks {
    std::uint32_t known[32][32] = {};
  };
  /// Lanes of an event that touch the same cell; of a store one lane at a time.
  struct Part {
    const AccessEvent& event;
    const StoresSameValue& same;
    std::uint32_t lanes;
    unsigned warp;
    std::uint32_t clock;         ///< of the warp
    std::uint32_t whole_sync;    ///< of the warp
    const std::uint32_t* known;  ///< by warp: the latest clock that comes before this
    bool stores_same(unsigned other) const;
  };

  std::optional<Race> access_cell(std::uint32_t index, const Part& part);
  std::optional<Race> race_with_write(const Cell& cell, const Part& part) const;
  std::optional<Race> race_with_accesses(std::uint32_t index, const Part& part) const;
  std::optional<Race> race_with(const Access& access, const Part& part) const;
  std::uint32_t unordered_lanes(const Part& part, unsigned other_warp, unsigned other_lane,
                                std::uint32_t clock) const;
  void record_write(std::uint32_t index, const Part& part, bool after_all);
  void record_access(std::uint32_t index, const Part& part);

  std::uint32_t* known(unsigned warp) { return &known_[warp * clock_.size()]; }

  std::uint32_t base_;
  unsigned shift_;  ///< log2 of a cell's bytes
  std::vector<Cell> cells_;
  std::unordered_map<std::uint32_t, std::vector<Access>> more_;
  std::uint64_t event_ = 0;                ///< number of the access being checked
  std::vector<std::uint32_t> clock_;       ///< per warp, from 1
  std::vector<std::uint32_t> whole_sync_;  ///< per warp: last clock that all its lanes have joined
  std::vector<std::uint32_t> known_;       ///< [warp][other warp]
  std::unordered_map<unsigned, LaneClocks> lanes_;  ///< only warps that synchronised in part
};

}  // namespace warpwise::watch
