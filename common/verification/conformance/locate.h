#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verification/conformance/random/program.h"

namespace warpwise::conformance {

/// Where two executors begin to disagree about a program: the first step, of whichever thread takes
/// the fewest steps to it, after which the thread's digests or ways differ.
struct Divergence {
  unsigned block = 0, thread = 0;
  std::size_t step = 0;     ///< of the thread, from 0; an instruction in a loop is a step each time
  std::size_t unit = 0;     ///< of Program::units: what `one` executed at that step
  std::size_t threads = 0;  ///< that differ anywhere
  std::uint64_t one = 0, other = 0;  ///< the result that was digested last
};

/// Runs a program that also writes down its digest after every unit.
/// @return nothing where both write down the same: the program agrees, or the trace keeps it from
/// showing how it differs.
/// @throws Refused, Broken.
std::optional<Divergence> diverges(const Program& program, Executor& one, Executor& other);

/// A divergence for people: where, the unit's text, what its registers held before it according to
/// `machine`, and both results.
std::string describe(const Divergence& divergence, const Program& program, Executor& machine);

}  // namespace warpwise::conformance
