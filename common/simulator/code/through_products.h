#pragma once
#include <cstddef>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// True where all that a store writes was made by an instruction on matrices from what a load gave.
/// Such an instruction takes the values of all lanes: each has read before any of them writes.
/// @param load,store indices into the function's body.
bool goes_through_product(const ptx::Function& function, std::size_t load, std::size_t store);

}  // namespace warpwise::code
