#pragma once
#include <cstdint>
#include <vector>

#include "simulator/machine/checks/uninitialized.h"
#include "simulator/machine/runner_state.h"
#include "simulator/machine/warp/specials.h"

namespace warpwise::machine {

/// Calls of functions, and the stack that they share with local arrays.
class Calls {
 public:
  Calls(RunnerState& here, Uninitialized& uninitialized, Specials& specials)
      : here_(here), uninitialized_(uninitialized), specials_(specials) {}

  /// Lanes that call different functions go on as groups of their own and meet again after the
  /// call. Faults where a pointer names no function, and where the stack is too small.
  /// @return true where the group is in the function now and all else is as it was.
  bool call(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  /// Takes the lanes back to the caller. A basic block starts there, where groups become one.
  /// @return true where the group is in the caller now and all else is as it was.
  bool return_lanes(Group& group, std::uint32_t mask);
  /// Lanes that exit leave all frames that they are in.
  void leave_calls(CallFrame& frame, std::uint32_t lanes);

  /// alloca: as much for each lane as the one that wants most.
  void stack_allocate(const code::Instruction& instruction, std::uint32_t mask);
  void stack_save(const code::Instruction& instruction, std::uint32_t mask);
  /// Lanes of one frame share what is taken: it can be given back where all of them do.
  void stack_restore(const code::Instruction& instruction, std::uint32_t mask);

 private:
  std::uint32_t called_function(const code::Instruction& instruction, std::uint32_t& lanes);
  CallFrame& enter_function(CallFrame& caller, const code::Call& call, std::uint32_t function,
                            std::uint32_t return_pc, std::uint32_t lanes);
  void begin_call(const CallFrame& caller, const code::Call& call, const code::Function& callee,
                  const CallFrame& frame, std::uint32_t lanes);
  void pass(const CallFrame& from, const std::vector<code::Piece>& sources, const CallFrame& to,
            const std::vector<code::Piece>& destinations, std::uint32_t lanes);
  std::uint64_t stack_room() const;
  void check_stack(const CallFrame& last, std::uint32_t lanes);
  [[noreturn]] void report_stack_overflow(std::uint32_t depth, std::uint32_t lanes,
                                          std::uint64_t top, std::uint64_t bytes);

  RunnerState& here_;
  Uninitialized& uninitialized_;
  Specials& specials_;
};

}  // namespace warpwise::machine
