#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simulator/watch/access_event.h"
#include "simulator/watch/happens_before.h"

namespace warpwise::watch {

/// Finds conflicting accesses to a block's shared memory of which neither comes before the other.
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
  class StoresSameValue {
   public:
    /// @param function lives longer than this.
    template <class Function>
    StoresSameValue(const Function& function)
        : function_(&function),
          call_([](const void* called, unsigned lane, unsigned other) -> bool {
            return (*static_cast<const Function*>(called))(lane, other);
          }) {}
    bool operator()(unsigned lane, unsigned other) const { return call_(function_, lane, other); }

   private:
    const void* function_;
    bool (*call_)(const void*, unsigned, unsigned);
  };

  /// @param narrow true where the program has shared accesses of less than 4 bytes.
  /// @param order of the block's threads; lives longer.
  SharedRaces(HappensBefore& order, std::uint32_t base, std::uint32_t bytes, bool narrow);

  /// The next block starts; the order has started it already.
  void start_block() { sync_points_.clear(); }
  /// Checks and records. Call before a store changes the memory.
  std::optional<Race> access(unsigned warp, const AccessEvent& event, const StoresSameValue& same);

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
    /// True where all that a warp did up to a clock comes before this.
    bool comes_after(unsigned other_warp, std::uint32_t other_clock) const {
      return other_clock <= (other_warp == warp ? whole_sync : known[other_warp]);
    }
  };

  void access_cell(std::uint32_t index, const Part& part, std::optional<Race>& found);
  static bool is_quiet(const Cell& cell, const Part& part);
  std::optional<Race> race_with_write(const Cell& cell, const Part& part) const;
  std::optional<Race> race_with_accesses(std::uint32_t index, const Part& part) const;
  std::optional<Race> race_with(const Access& access, const Part& part) const;
  void record_write(std::uint32_t index, const Part& part, bool after_all);
  void record_access(std::uint32_t index, const Part& part);

  HappensBefore& order_;
  SyncPoints sync_points_;
  std::uint32_t base_;
  unsigned shift_;  ///< log2 of a cell's bytes
  std::vector<Cell> cells_;
  std::unordered_map<std::uint32_t, std::vector<Access>> more_;
  std::uint64_t event_ = 0;  ///< number of the access being checked
};

}  // namespace warpwise::watch
