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
/// other.
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

  /// Checks and records. Call before a store changes the memory.
  std::optional<Race> access(unsigned warp, const AccessEvent& event, const StoresSameValue& same);

  /// All warps of the mask met at a barrier.
  void block_barrier(std::uint32_t warps);
  /// @param all true where the lanes are all that the warp has left.
  void warp_barrier(unsigned warp, std::uint32_t lanes, bool all);

 private:
  struct Readers {
    std::uint32_t warp = 0, clock = 0, lanes = 0, site = 0;
    bool weak = false;
  };
  struct Cell {
    std::uint32_t writer = 0;       ///< thread index
    std::uint32_t write_clock = 0;  ///< 0: never written
    std::uint32_t write_site = 0;
    std::uint64_t write_event = 0;
    bool write_weak = false;
    bool many_readers = false;  ///< more in readers_
    Readers reader;             ///< lanes 0: never read
  };
  struct LaneClocks {
    std::uint32_t known[32][32] = {};
  };

  bool stores_differ(const Cell& cell, unsigned lane, const AccessEvent& event,
                     const StoresSameValue& same) const;
  bool ordered(unsigned warp, unsigned lane, unsigned other_warp, unsigned other_lane,
               std::uint32_t clock) const;
  std::optional<Race> check_write(unsigned warp, unsigned lane, std::uint32_t cell, bool strong,
                                  const AccessEvent& event, const StoresSameValue& same);
  std::optional<Race> check_readers(const Readers& readers, unsigned warp, unsigned lane,
                                    bool strong) const;
  void record_read(Cell& cell, std::uint32_t index, unsigned warp, unsigned lane,
                   const AccessEvent& event);
  void note_reader(Readers& readers, unsigned warp, unsigned lane, const AccessEvent& event) const;

  std::uint32_t base_;
  unsigned shift_;  ///< log2 of a cell's bytes
  std::vector<Cell> cells_;
  std::unordered_map<std::uint32_t, std::vector<Readers>> readers_;
  std::uint64_t event_ = 0;                ///< number of the access being checked
  std::vector<std::uint32_t> clock_;       ///< per warp, from 1
  std::vector<std::uint32_t> whole_sync_;  ///< per warp: last clock that all its lanes have joined
  std::vector<std::vector<std::uint32_t>> known_;
  std::unordered_map<unsigned, LaneClocks> lanes_;  ///< only warps that synchronised in part
};

}  // namespace warpwise::watch
