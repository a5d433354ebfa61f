#pragma once
#include <cstdint>

#include "simulator/memory/address_space.h"

/// memory::Validity as it is kept: in one byte for each of memory.
namespace warpwise::machine {

constexpr auto never_written = static_cast<std::uint8_t>(memory::Validity::never_written);
constexpr auto defined = static_cast<std::uint8_t>(memory::Validity::defined);
constexpr auto derived = static_cast<std::uint8_t>(memory::Validity::derived);

}  // namespace warpwise::machine
