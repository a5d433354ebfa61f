#pragma once
#include <cstddef>
#include <cstdint>

#include "simulator/machine/copies/mbarriers.h"
#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// Atomics: lanes that read, change and write memory one after another, the lowest first.
class Atomics {
 public:
  Atomics(RunnerState& here, Mbarriers& mbarriers) : here_(here), mbarriers_(mbarriers) {}

  /// @param host from the lanes' addresses to where this process has the memory.
  void execute(const code::Instruction& instruction, const code::Access& access, code::Space space,
               std::uint32_t mask, const std::uint64_t* addresses, std::uint64_t host);
  /// Before an access to global memory: others' adds are there, where it may see them.
  void write_deferred(const code::Access& access);
  /// Lanes of an atomic that leave the memory as it is. So it only reads: a compare-and-swap that
  /// finds another value than it asks for, a maximum that is not greater. No race is reported for
  /// an atomic that another order of threads would let store: the race is reported for the thread
  /// that stored instead of it.
  /// @param distance from an address to where this process has its byte; 0 where that may change
  /// meanwhile. Then the lanes that leave it as it is, whatever it holds.
  std::uint32_t lanes_that_change_nothing(const code::Access& access, std::uint32_t mask,
                                          const std::uint64_t* addresses,
                                          std::uint64_t distance) const;

 private:
  bool may_wait(const code::Access& access) const;
  void update_element(const code::Instruction& instruction, const code::Access& access,
                      code::Space space, unsigned element, std::uint32_t mask,
                      const std::uint64_t* host_addresses);

  RunnerState& here_;
  Mbarriers& mbarriers_;
};

}  // namespace warpwise::machine
