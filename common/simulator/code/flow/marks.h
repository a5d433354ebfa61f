#pragma once
#include <cstddef>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// True where a store marks, with a value that is the same for the whole launch, what a load looks
/// at, one of the two at a place that the thread has looked up, such as a neighbour of a vertex,
/// and the kernel does nothing else that anybody could see but store this mark, or flags at places
/// that are the same for all. Whoever loads a mark meanwhile can do no more with it than mark, or
/// leave out a mark.
/// @param load,store indices into the kernel's body.
bool is_look_at_mark(const ptx::Function& kernel, std::size_t load, std::size_t store);

}  // namespace warpwise::code
