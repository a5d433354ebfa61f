#pragma once
#include <cstddef>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// True where a store marks what a load looks at, with a value that is the same for the whole
/// launch. One of the two is at a place that the thread has looked up, such as a neighbour of a
/// vertex. The only visible effects of the kernel are this mark, and flags at places that are the
/// same for all threads. A thread that loads a mark meanwhile can only set a mark, or omit one.
/// @param load,store indices into the kernel's body.
bool is_benign_mark_race(const ptx::Function& kernel, std::size_t load, std::size_t store);

}  // namespace warpwise::code
