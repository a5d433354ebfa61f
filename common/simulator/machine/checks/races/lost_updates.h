#pragma once
#include <array>
#include <cstdint>

#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// Strong loads and stores that are no atomics, such as by a volatile pointer: lanes of a warp that
/// load one word of global memory and then store to it on the same line. Nothing races in the eyes
/// of the memory model, but of their stores one stays: a counter loses what the others added.
class LostUpdates {
 public:
  explicit LostUpdates(RunnerState& here) : here_(here) {}

  /// A strong access that is no atomic.
  void watch(const watch::AccessEvent& event);

 private:
  /// The last load of a warp of which several lanes had the same address.
  struct Load {
    std::uint64_t warp = 0;  ///< in the grid
    std::uint64_t address = 0;
    std::uint32_t site = 0, lanes = 0;
  };
  void report(const watch::AccessEvent& store, unsigned lane, unsigned lanes);

  RunnerState& here_;
  std::array<Load, 32> loads_{};  ///< by warp of a block
};

}  // namespace warpwise::machine
