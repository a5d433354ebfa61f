#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpwise::cudart {

/// Which operations come before one, whatever their speed: by the order of their streams, by
/// events, or because the host has waited for them. Each operation stands in a chain, of which all
/// earlier ones come before it; numbers grow along a chain.
class Before {
 public:
  /// Adds all operations up to a number.
  void add_all(std::uint64_t number) {
    if (number <= all_) return;
    all_ = number;
    std::erase_if(of_, [number](const auto& entry) { return entry.second <= number; });
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
    add_all(other.all_);
    for (const auto& [chain, number] : other.of_)
      if (number > all_) add(chain, number);
  }
  /// Drops what chains have from one on.
  void forget_chains_from(std::uint64_t chain) {
    std::erase_if(of_, [chain](const auto& entry) { return entry.first >= chain; });
  }
  bool holds(std::uint64_t chain, std::uint64_t number) const {
    if (number <= all_) return true;
    const auto at = std::lower_bound(of_.begin(), of_.end(), std::pair{chain, std::uint64_t{0}});
    return at != of_.end() && at->first == chain && at->second >= number;
  }

 private:
  std::uint64_t all_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> of_;  ///< chain, number; sorted
};

}  // namespace warpwise::cudart
