#pragma once
#include <functional>
#include <string>
#include <vector>

#include "simulator/isa/type.h"
#include "verification/conformance/random/random.h"

namespace warpwise::conformance {

/// Additions or subtractions that hand a carry on, one to the next: what each but the last leaves
/// is what the next one reads. ptxas cannot know the first carry: after one that is known, ptxas
/// 13.0 computes madc.hi.cc of 64 bits wrongly (measured on an H200).
struct CarryChain {
  std::string text;
  /// The results of the steps, the last step's last.
  std::vector<std::pair<std::string, isa::Type>> results;
};

/// @param name_of a register, or for sources perhaps a constant, of a type.
CarryChain carry_chain(Random& random,
                       const std::function<std::string(isa::Type, bool destination)>& name_of);

}  // namespace warpwise::conformance
