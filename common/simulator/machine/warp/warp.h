#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/code/program.h"
#include "simulator/machine/warp/call_frame.h"
#include "simulator/machine/warp/divergent_sides.h"
#include "simulator/machine/warp/group.h"

namespace warpwise::machine {

/// True where `a` has more left to do than `b`: it is to run first, so that lanes meet again.
bool is_less_advanced_elsewhere(const Group& a, const Group& b);
inline bool is_less_advanced(const Group& a, const Group& b) {
  return a.frame == b.frame ? a.pc < b.pc : is_less_advanced_elsewhere(a, b);
}

/// Before this place of its function the group is less advanced than the other, and does not meet
/// it. ~0: everywhere.
std::uint32_t first_turn(const Group& group, const Group& other);

/// Places of a function within which a group need not look at the others: it meets none and goes
/// first.
struct OwnTurn {
  std::uint32_t from = 0, until = 0;
  bool includes(std::uint32_t pc) const { return pc - from < until - from; }
  /// The part in both of them; with nothing in common, no place.
  OwnTurn within(const OwnTurn& other) const {
    const OwnTurn both{std::max(from, other.from), std::min(until, other.until)};
    return both.from < both.until ? both : OwnTurn{};
  }
};

/// A reconvergence elsewhere: the message of lanes to a group that waited for them at another
/// instruction than theirs.
struct Reconvergence {
  std::uint32_t of = 0;     ///< lanes of the group
  std::uint32_t lanes = 0;  ///< that it meets elsewhere
  std::uint64_t values[32] = {};
  std::uint32_t undefined = 0, origin = UndefinedValues::no_origin;  ///< of the values
};

/// A warp: its frames, its stack and the groups of lanes that it has split into. Reused block after
/// block.
class Warp {
 public:
  explicit Warp(const code::Program& program);

  /// Begins a block: all lanes of `existing` at the first instruction.
  void start(std::uint32_t existing);

  /// Registers are those of this frame from now on.
  void use(CallFrame& frame) {
    frame_ = &frame;
    registers_ = frame.registers();
  }
  CallFrame& frame() const { return *frame_; }
  UndefinedValues& undefined() const { return frame_->undefined; }
  std::byte* registers() { return registers_; }
  std::byte* slot(code::Slot slot) { return registers_ + slot; }
  std::uint32_t& mask_at(code::Slot slot) {
    return *reinterpret_cast<std::uint32_t*>(registers_ + slot);
  }

  /// A frame for a call of the function; its registers may be those of an earlier call.
  CallFrame& take_frame(std::uint32_t function);
  /// The frame of the same call, made by other lanes that are still in it; null where none are.
  CallFrame* open_call(const CallFrame& caller, const code::Call& call,
                       const code::Function& function, std::uint32_t return_pc) const;
  /// The lanes have left the frame; without any it may be used again.
  void leave_frame(CallFrame& frame, std::uint32_t lanes);

  /// Lanes of the group take a branch, or call another function than the others.
  /// @param added has the lanes that do.
  /// @param parting null: one of its ways leads at once to where they meet.
  /// @return the group that goes first.
  Group& part(Group& group, Group& added, const code::Parting* parting);
  /// Whether `a` goes before `b`: lanes are to meet again, and where that does not decide, the
  /// order is the hardware's.
  bool goes_first(const Group& a, const Group& b) const {
    if (a.side != b.side) [[unlikely]] {
      if (sides_.goes_first(a, b)) return true;
      if (sides_.goes_first(b, a)) return false;
    }
    return is_less_advanced(a, b);
  }
  /// Where the group goes before the other and does not meet it.
  OwnTurn turn_before(const Group& group, const Group& other) const;

  /// `into` takes over the lanes of the other, which has none left, where both are ready at one
  /// place.
  /// @return false where they are not.
  bool join(Group& into, Group& other);
  /// Groups that are ready at the same place become one. Groups move.
  void join_groups();
  /// Groups move.
  void drop_empty_groups();

  /// A lane's byte of local memory.
  std::byte* local(unsigned lane, std::uint64_t address) {
    return local_.get() + std::size_t{lane} * local_bytes_ + address;
  }
  /// Bytes from a lane's to the next one's.
  std::size_t local_stride() const { return local_bytes_; }
  /// A memory::Validity for each byte of it.
  std::uint8_t* local_validity(unsigned lane, std::uint64_t address) {
    return local_validity_.get() + std::size_t{lane} * local_bytes_ + address;
  }
  /// Makes room up to this address and leaves [from, to) undefined for the lanes.
  void grow_stack(std::uint32_t from, std::uint32_t to, std::uint32_t lanes);
  /// [from, to) holds values that pass into or out of functions.
  void define_local(std::uint32_t from, std::uint32_t to, std::uint32_t lanes);

  /// Ends the reconvergence of these lanes, if they have one, and makes it `reconvergence`.
  bool end_reconvergence(std::uint32_t lanes) {
    reconvergence.lanes = 0;
    if (reconvergences.empty()) [[likely]]
      return false;
    return find_reconvergence(lanes);
  }

  std::vector<Group> groups;
  /// Of groups that go on at an instruction that others are not at.
  std::vector<Reconvergence> reconvergences;
  Reconvergence reconvergence;  ///< at the instruction that is executed
  std::uint32_t existing = 0;   ///< lanes that the block has threads for
  std::uint32_t live = 0;       ///< lanes that have not exited
  /// Lanes that have arrived at the cluster's barrier and not yet waited, and of these those that
  /// it still holds.
  std::uint32_t cluster_arrived = 0, cluster_held = 0;
  /// The products of its warpgroup.
  struct Products {
    std::uint32_t committed = 0, landed = 0;  ///< groups
    bool fenced = false;                      ///< once, by wgmma.fence
  } products;

 private:
  bool find_reconvergence(std::uint32_t lanes);
  void forget_sides();

  const code::Program* program_;
  DivergentSides sides_;
  std::unique_ptr<CallFrame> kernel_;
  CallFrame* frame_ = nullptr;
  std::byte* registers_ = nullptr;
  std::vector<std::unique_ptr<CallFrame>> frames_;  ///< of calls, in use or not
  std::vector<std::vector<CallFrame*>> spare_;      ///< by function
  std::unique_ptr<std::byte[]> local_;              ///< one stack after another
  std::unique_ptr<std::uint8_t[]> local_validity_;
  std::size_t local_bytes_ = 0;  ///< of each
};

}  // namespace warpwise::machine
