#pragma once
#include <cstddef>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// True where a store marks what the thread has looked up, such as a neighbour of a vertex, with a
/// value that is the same for the whole launch, and the kernel does nothing else that anybody could
/// see but store such values. Whoever loads a mark meanwhile can do no more with it than mark, or
/// leave out a mark.
/// @param store index into the kernel's body.
bool is_mark(const ptx::Function& kernel, std::size_t store);

}  // namespace warpwise::code
