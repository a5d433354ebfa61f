#pragma once
#include <cstdint>
#include <string>

#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// Looks whether an access meets an asynchronous copy that may still be in flight.
class CopyChecks {
 public:
  explicit CopyChecks(RunnerState& here) : here_(here) {}

  /// Reports an access to shared memory that meets a copy for which no thread has waited.
  void check_in_flight(const code::Access& access, std::uint32_t mask,
                       const std::uint64_t* addresses, const watch::AddressShape& shape);
  /// Reports an access to shared memory by a thread that cannot know yet that a copy has come:
  /// another has waited.
  void check_arrived(const code::Access& access, std::uint32_t mask, const std::uint64_t* addresses,
                     const watch::AddressShape& shape);
  /// Reports an access to global memory that a bulk store may still write.
  void check_bulk_targets(const code::Access& access, std::uint32_t mask,
                          const std::uint64_t* addresses, const watch::AddressShape& shape);
  /// Reports a read by the asynchronous proxy of what a thread has stored, without a fence since.
  /// @param reads how the sentence begins.
  void report_missing_proxy_fence(const std::string& reads, unsigned lane, std::uint64_t address);

 private:
  RunnerState& here_;
};

}  // namespace warpwise::machine
