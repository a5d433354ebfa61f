#pragma once
#include <vector>

#include "simulator/code/function_code.h"

namespace warpwise::code {

/// A way on which lanes come together before all do: out of a loop, as in
/// `if (found) { out[i] = k; return; }`, or where a case falls through to the next.
struct SideExit {
  std::size_t entry;                ///< the block that such lanes reach first
  std::vector<std::size_t> blocks;  ///< up to where all ways meet, the entry first
};

/// The side exits of a function. On the GPU, lanes that reach such a block from several places need
/// not wait for each other: each group runs the way's blocks alone.
std::vector<SideExit> side_exits(const FunctionCode& code);

}  // namespace warpwise::code
