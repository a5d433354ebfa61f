#pragma once
#include <cstdint>
#include <memory>

#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// malloc and free on the device. Each piece is an allocation of its own, so that a use beyond it
/// or after free is found as with cudaMalloc.
class Heap {
 public:
  explicit Heap(RunnerState& here) : here_(here) {}

  /// For all lanes of a mask.
  void allocate(const code::Instruction& instruction, std::uint32_t mask);
  void release(const code::Instruction& instruction, std::uint32_t mask);

  /// @param here where the program asks for it; found by the first of the warp's lanes.
  /// @return 0 where it does not fit.
  std::uint64_t allocate(std::uint64_t bytes, unsigned lane,
                         std::shared_ptr<const memory::CodeLine>& here);
  /// @return false for what is not on the heap, which has been reported.
  bool release(std::uint64_t address, unsigned lane);

 private:
  RunnerState& here_;
};

}  // namespace warpwise::machine
