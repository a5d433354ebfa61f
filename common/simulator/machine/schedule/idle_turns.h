#pragma once
#include <cstdint>

#include "simulator/machine/warp/warp.h"

namespace warpwise::machine {

/// A group that waits for another thread has to look at memory that others change: after so many
/// strong accesses and fences a group lets others run, first those of its warp, then the other
/// warps. Loops without any such access cannot wait, so their lanes always meet again after the
/// loop.
constexpr std::uint32_t most_polls = 1024;

/// How often the group has had its turn and only waited.
inline std::uint32_t idle_turns(const Group& group) { return group.polls / most_polls; }

}  // namespace warpwise::machine
