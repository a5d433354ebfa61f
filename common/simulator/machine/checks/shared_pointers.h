#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simulator/machine/checks/uninitialized.h"
#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// Pointers to shared memory that blocks leave in global memory. Another block that follows one
/// finds its own memory there, as on a GPU: an address is all that there is.
class SharedPointers {
 public:
  SharedPointers(RunnerState& here, Uninitialized& uninitialized)
      : here_(here), uninitialized_(uninitialized) {}

  /// True where a block has left one.
  bool any() const { return !left_.empty(); }
  /// After a plain access to global memory. Without an order of the blocks it is a race anyway.
  void follow(const code::Access& access, std::uint32_t mask, const std::uint64_t* addresses);

 private:
  void leave(std::uint64_t at);
  void find(code::Slot slot, unsigned lane, std::uint64_t at);

  RunnerState& here_;
  Uninitialized& uninitialized_;
  /// By global address: the blocks that have left a pointer to shared memory there, the latest
  /// last.
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> left_;
};

}  // namespace warpwise::machine
