#pragma once
#include <optional>
#include <string_view>

#include "simulator/code/lowering/special.h"

namespace warpwise::code {

/// The special register of this name, "%tid.x"; nothing where there is none.
std::optional<Special> special_named(std::string_view name);

/// A register that has another value each time it is read.
struct ClockRegister {
  std::string_view name;
  Clock clock;
  std::uint8_t bytes;
  std::uint8_t first_bit;  ///< of the 64-bit clock
};
/// @return null where the name is not a clock's.
const ClockRegister* clock_named(std::string_view name);

}  // namespace warpwise::code
