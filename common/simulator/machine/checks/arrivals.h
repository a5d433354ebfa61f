#pragma once
#include <set>

#include "simulator/code/program.h"
#include "simulator/memory/address_space.h"

namespace warpwise::machine {

/// Whether what a launch counts follows from an order that another run need not have: that of the
/// threads of an earlier launch, in memory that it has left, that of lanes which have met in
/// separate groups, or the place that the system gave to memory of the host.
class Arrivals {
 public:
  /// An access has come to an allocation.
  void meet(const code::Site& site, const memory::Allocation& allocation) {
    if (site.leaves_order)
      left_.insert(allocation.base);
    else if (site.is_store && !site.is_atomic)
      stored_.insert(allocation.base);
    reads_ |= !site.is_store && allocation.is_in_arrival_order;
    follows_ |= site.decides && allocation.is_in_arrival_order;
    begins_anywhere_ |= allocation.kind == memory::Kind::registered &&
                        allocation.base % memory::AddressSpace::alignment != 0;
  }

  /// Lanes have met at several instructions of one kind. On a GPU they may go on separately from
  /// there.
  void meet_apart() { lanes_apart_ = true; }

  /// Adds what another host thread of the launch has met.
  void add(const Arrivals& other) {
    left_.insert(other.left_.begin(), other.left_.end());
    stored_.insert(other.stored_.begin(), other.stored_.end());
    reads_ |= other.reads_;
    follows_ |= other.follows_;
    begins_anywhere_ |= other.begins_anywhere_;
    lanes_apart_ |= other.lanes_apart_;
  }

  bool leaves_counts_open() const { return follows_ || begins_anywhere_ || lanes_apart_; }

  /// For the launches after this one: which allocations it leaves in the order of its threads, or
  /// of those of an earlier launch whose order it has read.
  void leave(memory::AddressSpace& memory) const {
    for (const std::uint64_t base : left_) memory.leave_in_arrival_order(base);
    if (!reads_) return;
    for (const std::uint64_t base : stored_) memory.leave_in_arrival_order(base);
  }

 private:
  std::set<std::uint64_t> left_, stored_;
  bool reads_ = false;  ///< something that is in arrival order
  bool follows_ = false, begins_anywhere_ = false, lanes_apart_ = false;
};

}  // namespace warpwise::machine
