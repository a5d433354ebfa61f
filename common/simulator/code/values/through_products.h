#pragma once
#include <cstddef>
#include <cstdint>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// An instruction that takes the values of several lanes of a warp: each has read before any of
/// them goes on.
enum class Gathering : std::uint8_t {
  none,
  exchange,  ///< a shuffle, a vote or a sum, which does not order memory by itself
  product    ///< of matrices, of all lanes
};

/// The instructions that a value has passed through.
struct Gathered {
  Gathering by = Gathering::none;
  std::uint32_t lanes = 0;  ///< that it takes values of
};

/// The gathering instruction that every value from a load passes through before a store writes it.
/// @param load,store indices into the function's body.
Gathered gathering_between(const ptx::Function& function, std::size_t load, std::size_t store);

}  // namespace warpwise::code
