#pragma once
#include <cstdint>

namespace warpwise::machine {

/// Tells when blocks that only wait can never go on: no thread changed memory, and what their warps
/// wait at has been there before. (Brent's way of finding a cycle: the state remembered is replaced
/// after 1, 2, 4, ... looks.)
class DeadlockDetector {
 public:
  /// @param fingerprint of everything the waiting threads are in.
  /// @return true where the same state was seen before and nothing else happened since.
  bool look(std::uint64_t fingerprint) {
    if (looks_ > 0 && fingerprint == remembered_) return true;
    if (++looks_ == limit_) {
      remembered_ = fingerprint;
      limit_ *= 2;
    }
    return false;
  }
  /// Something happened that others may have waited for.
  void forget() {
    looks_ = 0;
    limit_ = 1;
  }

 private:
  std::uint64_t remembered_ = 0, looks_ = 0, limit_ = 1;
};

}  // namespace warpwise::machine
