#pragma once
#include <cstdint>
#include <vector>

#include "simulator/isa/type.h"
#include "verification/conformance/random/random.h"

namespace warpwise::conformance {

/// The bits of one operand in one lane.
struct Value {
  std::uint64_t low = 0, high = 0;  ///< high: beyond 64 bits, of b128 only
};

/// Values at which instructions of this type go wrong: zeros of both signs, extremes, subnormals,
/// infinities, NaNs with payloads, widths of shifts. The first eight are the most telling.
std::vector<Value> edge_values(isa::Type type);

/// Any value, of any magnitude.
Value random_value(isa::Type type, Random& random);

/// The parts of a value as numbers, where its type is one of floating point; empty otherwise.
std::vector<double> numbers_of(isa::Type type, const Value& value);

constexpr unsigned fixture_lanes = 1024;

/// The values that the sources of an instruction get in `fixture_lanes` lanes: edges crossed as far
/// as they fit, then a seeded mixture. It follows from the types alone.
/// @return for each source its lanes.
std::vector<std::vector<Value>> fixture_inputs(const std::vector<isa::Type>& sources);

}  // namespace warpwise::conformance
