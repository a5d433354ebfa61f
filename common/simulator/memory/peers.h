#pragma once
#include <array>
#include <atomic>
#include <cstdint>

#include "simulator/memory/current_device.h"

namespace warpwise::memory {

/// Which device may use the memory of which other. Each direction is asked for by the device that
/// is to read and write; what pools give out has an access of its own (Allocation::granted).
class Peers {
 public:
  /// @param reader the device that may use the memory of `owner`, or may not any more.
  void set(int reader, int owner, bool may) {
    const auto bit = static_cast<std::uint8_t>(1u << owner);
    may ? of_[index(reader)] |= bit : of_[index(reader)] &= static_cast<std::uint8_t>(~bit);
  }
  bool may(int reader, int owner) const { return (of_[index(reader)] >> owner & 1) != 0; }
  /// The device may use no other's memory, and no other may use its own.
  void reset(int device) {
    of_[index(device)] = 0;
    for (int other = 0; other < most_devices; ++other) set(other, device, false);
  }

 private:
  static std::size_t index(int device) { return static_cast<std::size_t>(device); }
  std::array<std::atomic<std::uint8_t>, most_devices> of_ = {};
};

}  // namespace warpwise::memory
