#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/cells/for_lanes.h"
#include "simulator/watch/order/vector_clock.h"

namespace warpwise::watch {

/// The vector clocks that strong stores and atomics have published at each address, for threads
/// that read it: of the block's own shared memory, or of global memory.
class SyncPoints {
 public:
  struct Point {
    VectorClock::Shared by_scope[2];  ///< of releases within a block, and beyond
    std::uint64_t block = 0;          ///< the last that published
  };
  bool empty() const { return points_.empty(); }
  void clear() { points_.clear(); }
  Point* find(std::uint64_t address) {
    auto found = points_.find(address);
    return found == points_.end() ? nullptr : &found->second;
  }
  Point& at(std::uint64_t address) { return points_[address]; }
  void forget(std::uint64_t address) { points_.erase(address); }
  /// Leaves what may still be asked for.
  void forget(Forgetting& forgetting);

 private:
  std::unordered_map<std::uint64_t, Point> points_;
};

/// Which accesses of a block's threads come before which others (PTX's causality order), over the
/// run as it happens.
///
/// Each warp has a clock that advances when it synchronises. known(w)[v] is the latest clock of
/// warp v whose accesses come before everything warp w does now. Inside a warp a bar.warp.sync of
/// all its lanes orders everything before it; one of some lanes orders those lanes among each
/// other. What single lanes learn from others through memory, by release and acquire, is a vector
/// clock for each lane, kept only for warps that do so.
///
/// A fence followed by a strong store publishes, a strong load followed by a fence learns. A
/// barrier passes both on: fences by all threads, then a barrier, then one thread's flag is right,
/// because membar and fence.sc are ordered among each other. A barrier is also a fence for threads
/// that read before it, as it is on the hardware.
class HappensBefore {
 public:
  explicit HappensBefore(unsigned warps);

  /// The next block starts: all that came before is in the past of its threads.
  /// @param block linear index in the grid.
  void start_block(std::uint64_t block);

  /// All warps of the mask met at a barrier, and those that only arrived there earlier.
  void block_barrier(std::uint32_t warps, unsigned id = 0);
  /// Warps of the mask arrived at a barrier and went on: what they did comes before those that
  /// wait there.
  void arrive(std::uint32_t warps, unsigned id);
  /// @param all true where the lanes are all that the warp has left.
  void warp_barrier(unsigned warp, std::uint32_t lanes, bool all);
  /// All warps of these blocks met at a barrier of their cluster.
  static void meet(const std::vector<HappensBefore*>& blocks);
  /// What threads of the block published at a place of its own, such as an mbarrier.
  struct Published {
    std::vector<std::uint32_t> known;  ///< by warp, of those that came whole; empty: none
    VectorClock::Shared learned;
  };
  /// Adds all that comes before this in the lanes, as a release does.
  /// @param all true where the lanes are all that the warp has left.
  void publish_at(Published& place, unsigned warp, std::uint32_t lanes, bool all);
  /// All that was made known there comes before what the lanes do from now on.
  void acquire_from(const Published& place, unsigned warp, std::uint32_t lanes, bool all);
  void fence(unsigned warp, std::uint32_t lanes, code::Scope scope);
  /// A strong access reads what others published, and publishes. Call after it was checked.
  void synchronize(unsigned warp, const AccessEvent& event, SyncPoints& points);

  unsigned warps() const { return static_cast<unsigned>(clock_.size()); }
  std::uint64_t block() const { return block_; }
  std::uint32_t clock(unsigned warp) const { return clock_[warp]; }
  /// The last clock of the warp that all its lanes have joined.
  std::uint32_t whole_sync(unsigned warp) const { return whole_sync_[warp]; }
  /// The clock up to which the accesses of every warp of the block come before all that this warp
  /// does.
  std::uint32_t floor(unsigned warp) const {
    return std::min(others_floor_[warp], whole_sync_[warp]);
  }
  /// The clock up to which the accesses of every warp of the block come before all that any of them
  /// does.
  std::uint32_t common_floor() const { return common_floor_; }
  /// The same before they met last.
  std::uint32_t earlier_common_floor() const { return earlier_common_floor_; }
  /// After a barrier that all threads of the block have met at: what comes before all that any of
  /// them does, of other blocks, and what the block itself did up to that clock. Null where they
  /// know of no other block.
  VectorClock::Shared known_to_all(std::uint32_t own) const;
  /// Leaves what may still be asked for.
  void forget(Forgetting& forgetting);
  /// By warp: the latest clock that comes before all that this warp does.
  const std::uint32_t* known(unsigned warp) const { return &known_[warp * clock_.size()]; }
  /// Lanes of the mask that an access by a thread of this block does not come before.
  std::uint32_t unordered(unsigned warp, std::uint32_t lanes, unsigned other_warp,
                          unsigned other_lane, std::uint32_t clock) const;
  /// The same for an access by a warp of any block: number of the block times warps() + warp.
  std::uint32_t unordered_in_grid(unsigned warp, std::uint32_t lanes, std::uint64_t other_warp,
                                  unsigned other_lane, std::uint32_t clock) const;
  /// False where known() and whole_sync() are all there is to know about the order of the warp.
  bool knows_more(unsigned warp) const { return lanes_[warp] || partial_.count(warp); }
  std::uint64_t in_grid(unsigned warp) const { return block_ * clock_.size() + warp; }

 private:
  /// By lane: the clock of each other lane that comes before all it does.
  struct LaneClocks {
    std::uint32_t known[32][32] = {};
  };
  /// What a fence makes ready to be published. Put together only when it is.
  struct Fenced {
    VectorClock::Shared base, learned;
    std::uint32_t clock = 0;              ///< the lane's own; 0: none
    VectorClock::Shared of_block{};       ///< by lanes that met at a barrier since, of their block
    mutable VectorClock::Shared ready{};  ///< by this lane alone; null: not asked for yet
    bool operator==(const Fenced& other) const {
      return base == other.base && learned == other.learned && clock == other.clock &&
             of_block == other.of_block;
    }
  };
  struct Lane {
    VectorClock::Shared learned;
    VectorClock::Shared seen[2];  ///< read from strong accesses, learned with the next fence
    Fenced fenced[2];             ///< by fences within the block and beyond
  };
  /// The lanes of a warp. After a barrier all know the same, and share it with those of the warps
  /// that they met. None of those that are alike has made a fence since.
  class Lanes {
   public:
    using Alike = std::shared_ptr<const Lane>;

    const Lane& operator[](unsigned lane) const {
      return apart_ >> lane & 1 ? of_[place_[lane]] : common();
    }
    const Lane& common() const {
      static const Lane nothing;
      return alike_ ? *alike_ : nothing;
    }
    /// What those that are alike know; null: nothing.
    const Alike& alike() const { return alike_; }
    /// Lanes that may differ from the others.
    std::uint32_t apart() const { return apart_; }
    /// One lane that may then differ from the others. Lanes move.
    Lane& one(unsigned lane) {
      if (apart_ >> lane & 1) return of_[place_[lane]];
      apart_ |= 1u << lane;
      place_[lane] = static_cast<std::uint8_t>(of_.size());
      return of_.emplace_back(common());
    }
    void set_all(Alike lane) {
      set_alike(std::move(lane));
      apart_ = 0;
      of_.clear();
    }
    void set_alike(Alike lane) { alike_ = std::move(lane); }
    /// Calls change(lane) for each that is kept separately.
    template <class Change>
    void change_apart(Change change) {
      std::for_each(of_.begin(), of_.end(), change);
    }

   private:
    Alike alike_;
    std::uint32_t apart_ = 0;
    std::vector<Lane> of_;                     ///< those that are kept separately
    std::array<std::uint8_t, 32> place_ = {};  ///< there
  };
  static constexpr std::uint32_t all_lanes = ~0u;
  struct Arrival {
    std::vector<std::uint32_t> known;  ///< empty: no thread
    Lane joined;
  };

  std::uint32_t* knows(unsigned warp) { return &known_[warp * clock_.size()]; }
  void find_floor(unsigned warp);
  void find_common_floor();
  Lanes& lanes_of(unsigned warp);
  const VectorClock::Shared& base(unsigned warp);
  VectorClock::Shared of_own_block(unsigned warp, std::uint32_t lanes, const Fenced& fenced) const;
  VectorClock::Shared put_together(unsigned warp, std::uint32_t lanes, const Fenced& fenced) const;
  Fenced fence_now(unsigned warp, unsigned lane);
  const VectorClock::Shared& fenced_by(unsigned warp, unsigned lane, const Fenced& fenced) const;
  void add_to(Lane& joined, unsigned warp, std::uint32_t lanes);
  void give(unsigned warp, std::uint32_t lanes, const Lanes::Alike& joined);
  std::uint32_t that_learned(unsigned warp, std::uint32_t lanes, std::uint64_t other_warp,
                             unsigned other_lane, std::uint32_t clock) const;
  void read(Lane& lane, const SyncPoints::Point& point, const AccessEvent& event) const;
  void publish(unsigned warp, unsigned lane, const AccessEvent& event, SyncPoints& points,
               SyncPoints::Point*& point);

  std::uint64_t block_ = 0;
  std::vector<std::uint32_t> clock_;         ///< per warp, from 1
  std::vector<std::uint32_t> whole_sync_;    ///< per warp
  std::vector<std::uint32_t> others_floor_;  ///< per warp: the least that it knows of another
  std::uint32_t common_floor_ = 0;           ///< of all warps, when they last met
  std::uint32_t earlier_common_floor_ = 0;   ///< and when they met before that
  std::vector<std::uint32_t> known_;         ///< [warp][other warp]
  std::unordered_map<unsigned, LaneClocks> partial_;  ///< only warps that synchronised in part
  bool any_through_memory_ = false;
  std::vector<std::unique_ptr<Lanes>> lanes_;  ///< only warps that synchronised through memory
  std::vector<VectorClock::Shared> bases_;     ///< made when needed
  std::array<Arrival, 24> arrivals_;           ///< of the barriers with names, then of warpgroups
};

}  // namespace warpwise::watch
