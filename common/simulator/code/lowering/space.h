#pragma once
#include <cstdint>

namespace warpwise::code {

/// Kinds of memory that an access may name.
enum class Space : std::uint8_t {
  global,
  shared,
  local,
  generic,
  frame,      ///< values passed into and out of functions: an offset in the function's frame
  parameter,  ///< the kernel's parameters, where they are addressed at run time
};

}  // namespace warpwise::code
