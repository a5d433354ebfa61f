#pragma once
#include <vector>

#include "simulator/code/function_code.h"

namespace warpwise::code {

/// A way out of a loop that does not rejoin the others: `if (found) { out[i] = k; return; }`.
struct SideExit {
  std::size_t entry;                ///< the block that such lanes come to first
  std::vector<std::size_t> blocks;  ///< up to where all ways meet, the entry first
};

/// Of all loops of a function. On the GPU, lanes that leave a loop this way one after another need
/// not wait for each other: each time they run the way's blocks alone.
std::vector<SideExit> side_exits(const FunctionCode& code);

}  // namespace warpwise::code
