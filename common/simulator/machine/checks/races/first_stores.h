#pragma once
#include <cstdint>
#include <unordered_map>

#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// Strong stores to words of global memory that were never written before the launch. Strong loads
/// do not race with them, but had they come first they would have found what was never written.
class FirstStores {
 public:
  explicit FirstStores(RunnerState& here) : here_(here) {}

  /// A strong store. To be called before it is known that a thread has written there now.
  void keep(const watch::AccessEvent& event);
  /// Reports a strong load that nothing orders after such a store. To be called before the load
  /// synchronises.
  void find(const watch::AccessEvent& event);
  /// Forgets the stores that all threads know of.
  void forget(const watch::VectorClock& past);

 private:
  /// A strong store to a word that was never written before the launch, such as by a volatile
  /// pointer.
  struct Store {
    std::uint64_t warp = 0;  ///< in the grid
    unsigned lane = 0;
    std::uint32_t clock = 0, site = 0;
  };

  RunnerState& here_;
  std::unordered_map<std::uint64_t, Store> kept_;  ///< by address
};

}  // namespace warpwise::machine
