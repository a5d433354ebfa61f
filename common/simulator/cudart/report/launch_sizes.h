#pragma once
#include <cstdint>

#include "simulator/watch/report/report.h"

/// The sizes of the first launches, to find one whose number of blocks was rounded down.
namespace warpwise::cudart {

struct LaunchSize {
  std::uint64_t threads = 0;   ///< 0: there is no such launch
  std::uint64_t of_block = 0;  ///< threads of a block
};

void keep_launch_size(const watch::LaunchReport& report);

/// The launch each of whose threads wrote an element of an array of which less than a block's
/// elements were left unwritten.
/// @param written bytes from the array's beginning. @param unwritten bytes after those.
LaunchSize launch_that_left(std::uint64_t written, std::uint64_t unwritten);

}  // namespace warpwise::cudart
