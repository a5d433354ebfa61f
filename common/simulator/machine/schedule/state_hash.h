#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "simulator/machine/schedule/idle_turns.h"
#include "simulator/machine/warp/lanes.h"
#include "simulator/machine/warp/warp.h"

namespace warpwise::machine {

/// A hash of what threads are in, to tell whether they have been there before.
class StateHash {
 public:
  std::uint64_t value() const { return value_; }

  void mix(const std::vector<std::byte>& bytes) { mix(bytes.data(), bytes.size()); }

  void mix(std::uint64_t part) { value_ = (std::rotl(value_, 23) ^ part) * 0x9e3779b97f4a7c15ull; }

  /// Where a warp is, and what is in its registers and in the memory of its threads alone.
  void mix(Warp& warp) {
    // A group that has had fewer turns than others may yet do something.
    std::uint32_t fewest = ~0u;
    for (const Group& group : warp.groups)
      if (group.state == Group::State::ready) fewest = std::min(fewest, idle_turns(group));
    for (const Group& group : warp.groups) {
      mix(group.pc * 0x100000000ull + group.mask);
      if (group.state == Group::State::ready) mix(idle_turns(group) - fewest);
      for (const CallFrame* frame = group.frame; frame; frame = frame->caller)
        mix(frame->registers(), frame->layout.register_bytes);
      for_lanes(group.mask, [&](unsigned lane) {
        if (group.frame->top > 0) mix(warp.local(lane, 0), group.frame->top);
      });
    }
  }

 private:
  void mix(const std::byte* bytes, std::size_t size) {
    mix(std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes), size}));
  }

  std::uint64_t value_ = 0;
};

}  // namespace warpwise::machine
