#pragma once
#include <cstddef>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// An instruction that takes the values of all lanes of a warp: each has read before any of them
/// goes on.
enum class Gathering {
  none,
  exchange,  ///< a shuffle, a vote or a sum of all lanes, which orders no memory by itself
  product    ///< of matrices
};

/// Through which such instruction all has gone that a store writes, from what a load gave.
/// @param load,store indices into the function's body.
Gathering gathering_between(const ptx::Function& function, std::size_t load, std::size_t store);

}  // namespace warpwise::code
