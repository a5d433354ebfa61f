#pragma once
#include <optional>
#include <string_view>

#include "simulator/conformance/fixture.h"

namespace warpwise::conformance {

/// How far a result of an approximating instruction may be from the true one, as the PTX manual
/// documents it: at most absolute + relative * |true result|.
struct Accuracy {
  std::string_view opcode;  ///< words that the opcode has, in order: "sin approx f32"
  double relative, absolute;
  double range;  ///< holds for sources of at most this magnitude; beyond it nothing is documented
};

/// The documented error of an instruction; nothing for those whose results are exact.
std::optional<Accuracy> documented_error(const Variant& variant);

/// True where the lane of `got` is what `want` has: the same bits, or within the documented error,
/// NaNs and infinities alike.
/// @param sources what the instruction read in that lane.
bool agrees(const Fixture& fixture, const Bytes& got, const Bytes& want, std::size_t lane,
            const std::vector<Value>& sources);

}  // namespace warpwise::conformance
