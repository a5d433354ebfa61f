#pragma once
#include <cstdint>
#include <vector>

#include "simulator/machine/checks/uninitialized.h"
#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// Lanes of a warp that wait for each other: the barrier of the warp, shuffles, votes and the other
/// functions by which they learn each other's values.
class WarpMeetings {
 public:
  WarpMeetings(RunnerState& here, Uninitialized& uninitialized)
      : here_(here), uninitialized_(uninitialized) {}

  // @return false where the group has to wait.
  bool warp_barrier(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  bool shuffle(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  bool vote(Group& group, const code::Instruction& instruction, std::uint32_t mask);

  /// Waits until all live lanes that the masks name are at this instruction, or at others like it.
  /// @return the lanes that take part; none where the group has to wait.
  std::uint32_t meet_named(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  /// The lanes of the other group that are there when this one waits for them. By PTX lanes may
  /// meet at several instructions of one kind, and they do on an H200: compilers make several of
  /// one in a loop.
  std::uint32_t meeting_lanes(const Group& group, const Group& other) const;
  /// Lets waiting groups go on whose lanes are all there; those at the same instruction become one.
  void wake_warp_sync();

  // warp_functions.cpp: of lanes that have met. `masks` are those that they name, by lane; `mask`
  // has the lanes at this instruction, `present` all that take part.
  /// match: which of the lanes that a lane's mask names hold the value that it holds.
  void match(const code::Operation& operation, const std::uint32_t* masks, std::uint32_t mask,
             std::uint32_t present);
  /// redux: all lanes with the same mask get one value.
  void reduce(const code::Operation& operation, const std::uint32_t* masks, std::uint32_t mask,
              std::uint32_t present);
  /// elect: the lowest of the lanes that a lane's mask names.
  void elect(const code::Operation& operation, const std::uint32_t* masks, std::uint32_t mask,
             std::uint32_t present);

 private:
  void note_returned(const std::uint32_t* masks, std::uint32_t mask, std::uint32_t returned);
  void meet_apart(const Group& group, const std::vector<Group*>& others);
  std::uint64_t met_value(const code::Operation::Value& value, unsigned lane);
  void order_memory(const code::Instruction& instruction, std::uint32_t lanes);
  bool is_barrier_of_cub() const;
  void check_same_masks(const std::uint32_t* masks, std::uint32_t mask);
  void report_selfless(const std::uint32_t* masks, std::uint32_t lanes);

  RunnerState& here_;
  Uninitialized& uninitialized_;
};

}  // namespace warpwise::machine
