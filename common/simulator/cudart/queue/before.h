#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "simulator/memory/current_device.h"

namespace warpwise::cudart {

/// Which operations come before one, whatever their speed: by the order of their streams, by
/// events, or because the host has waited for them. Each operation is in a chain, in which all
/// earlier operations come before it; numbers grow along a chain. The lowest bits of a chain are
/// the device that its operations work on.
class Before {
 public:
  static constexpr unsigned device_bits = 3;
  static_assert(1 << device_bits == memory::most_devices);
  /// The chain of a device with a number of its own.
  static constexpr std::uint64_t chain_of(std::uint64_t number, int device) {
    return number << device_bits | static_cast<std::uint64_t>(device);
  }

  /// Adds all operations up to a number, of one device or of all.
  void add_all_of(int device, std::uint64_t number) {
    std::uint64_t& all = all_[static_cast<std::size_t>(device)];
    if (number <= all) return;
    all = number;
    std::erase_if(of_, [&](const auto& entry) { return entry.second <= of_all(entry.first); });
  }
  void add_all(std::uint64_t number) {
    for (int device = 0; device < memory::most_devices; ++device) add_all_of(device, number);
  }
  /// Adds an operation of a chain and with it all that come before it in the chain.
  void add(std::uint64_t chain, std::uint64_t number) {
    const auto at = std::lower_bound(of_.begin(), of_.end(), std::pair{chain, std::uint64_t{0}});
    if (at != of_.end() && at->first == chain)
      at->second = std::max(at->second, number);
    else
      of_.insert(at, {chain, number});
  }
  void add(const Before& other) {
    for (int device = 0; device < memory::most_devices; ++device)
      add_all_of(device, other.all_[static_cast<std::size_t>(device)]);
    for (const auto& [chain, number] : other.of_)
      if (number > of_all(chain)) add(chain, number);
  }
  /// Drops all chains from this one on.
  void forget_chains_from(std::uint64_t chain) {
    std::erase_if(of_, [chain](const auto& entry) { return entry.first >= chain; });
  }
  bool holds(std::uint64_t chain, std::uint64_t number) const {
    if (number <= of_all(chain)) return true;
    const auto at = std::lower_bound(of_.begin(), of_.end(), std::pair{chain, std::uint64_t{0}});
    return at != of_.end() && at->first == chain && at->second >= number;
  }

 private:
  /// For the device of a chain: all operations up to this number come before.
  std::uint64_t of_all(std::uint64_t chain) const { return all_[chain % all_.size()]; }

  std::array<std::uint64_t, memory::most_devices> all_ = {};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> of_;  ///< chain, number; sorted
};

}  // namespace warpwise::cudart
