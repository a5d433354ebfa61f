#pragma once
#include <cstddef>
#include <cstdint>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// An instruction that takes the values of several lanes of a warp: each has read before any of
/// them goes on.
enum class Gathering : std::uint8_t {
  none,
  exchange,  ///< a shuffle, a vote or a sum, which orders no memory by itself
  product    ///< of matrices, of all lanes
};

/// Through what a value has gone.
struct Gathered {
  Gathering by = Gathering::none;
  std::uint32_t lanes = 0;  ///< that it takes values of
};

/// Through which such instruction all has gone that a store writes, from what a load gave.
/// @param load,store indices into the function's body.
Gathered gathering_between(const ptx::Function& function, std::size_t load, std::size_t store);

}  // namespace warpwise::code
