#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {

/// Which of a block's shared memory ordinary stores have written since the last fence.proxy.async.
/// Products of a warpgroup and copies in bulk read it another way and need such a fence in between:
/// by the thread that wrote, or, after a barrier, by one that multiplies or copies. Here any
/// thread's fence counts, so that nothing right is reported.
class OrdinaryWrites {
 public:
  /// @param start address of the first byte.
  void begin(std::uint32_t start, std::uint32_t bytes) {
    start_ = start;
    units_.assign(bytes / unit + 1, false);
    any_ = false;
  }
  /// @param is_ordinary false for copies that go on by themselves: what they write needs no fence.
  void write(std::uint32_t lanes, const std::uint64_t* addresses, unsigned bytes,
             bool is_ordinary) {
    any_ |= is_ordinary;
    for_lanes(lanes, [&](unsigned lane) {
      const std::uint64_t first = (addresses[lane] - start_) / unit,
                          last = (addresses[lane] - start_ + bytes - 1) / unit;
      for (std::uint64_t at = first; at <= last && at < units_.size(); ++at)
        units_[at] = is_ordinary;
    });
  }
  void fence() {
    if (any_) units_.assign(units_.size(), false);
    any_ = false;
  }
  /// @param addresses of pieces of a unit.
  /// @return the lanes that read such memory.
  std::uint32_t unfenced(std::uint32_t lanes, const std::uint64_t* addresses) const {
    std::uint32_t found = 0;
    if (!any_) return found;
    for_lanes(lanes, [&](unsigned lane) {
      const std::uint64_t at = (addresses[lane] - start_) / unit;
      if (at < units_.size() && units_[at]) found |= 1u << lane;
    });
    return found;
  }
  /// True where any of these bytes is such memory.
  bool any_unfenced(std::uint64_t address, std::uint32_t bytes) const {
    if (!any_ || bytes == 0) return false;
    const std::uint64_t first = (address - start_) / unit,
                        last = std::min<std::uint64_t>((address - start_ + bytes - 1) / unit,
                                                       units_.size() - 1);
    for (std::uint64_t at = first; at <= last; ++at)
      if (units_[at]) return true;
    return false;
  }
  static constexpr unsigned unit = 16;  ///< bytes

 private:
  std::uint32_t start_ = 0;
  bool any_ = false;
  std::vector<bool> units_;
};

}  // namespace warpwise::machine
