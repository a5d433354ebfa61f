#pragma once
#include <algorithm>
#include <cstdint>

#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {

/// The lanes of a mask that are wrong.
struct Wrong {
  unsigned first = 32;
  std::uint64_t count = 0;
};

template <class IsWrong>
Wrong wrong_lanes(std::uint32_t mask, IsWrong is_wrong) {
  Wrong wrong;
  for_lanes(mask, [&](unsigned lane) {
    if (!is_wrong(lane)) return;
    ++wrong.count;
    wrong.first = std::min(wrong.first, lane);
  });
  return wrong;
}

}  // namespace warpwise::machine
