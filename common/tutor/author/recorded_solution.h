#pragma once
#include <string>
#include <vector>

#include "report/recorded_solution.h"
#include "tutor/attempt/verdict.h"
#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// A course exported without solutions has one file of it for each exercise, Exercise::recorded.
/// `compare` and the text of a missed gate then use it.
using report::RecordedSolution;

/// Compiles the solution, where its image is out of date, and judges it.
/// @param flags for the check program.
/// @pre the check program is built.
/// @throws Failure: status 1 when it does not compile; otherwise as judge().
Verdict judge_solution(const Context& context, const Exercise& exercise,
                       const std::vector<std::string>& flags);

/// Judges the solution and the mistakes that its gates name, on the simulator.
/// @return the record as JSON: no paths, no source text; the same on every machine.
/// @pre the check program is built, and the solution is there.
/// @throws Failure: status 1 when the solution does not compile or does not pass.
std::string record_solution(const Context& context, const Exercise& exercise);

/// Reads the file that record_solution wrote.
/// @throws Failure (status 3) for any other text.
RecordedSolution recorded_solution(const Exercise& exercise);

}  // namespace warpwise::tutor
