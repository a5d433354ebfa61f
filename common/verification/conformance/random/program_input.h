#pragma once
#include <cstdint>

#include "verification/conformance/executor.h"

namespace warpwise::conformance {

/// The input of a random program: regions of entries of 8 bytes, each of its own kind of values.
constexpr unsigned region_entries = 64, regions = 8;

/// The input that belongs to a seed.
Bytes program_input(std::uint64_t seed);

}  // namespace warpwise::conformance
