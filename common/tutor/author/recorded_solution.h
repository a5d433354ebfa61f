#pragma once
#include <map>
#include <string>
#include <vector>

#include "tutor/attempt/verdict.h"
#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The part of a solution that is shown to users who may not see it: the verdict on it with its
/// counts, and the counts of the mistakes that its gates name. A course exported without solutions
/// has one file of it for each exercise, Exercise::recorded: the check's JSON on the solution, with
/// a member "mistakes". `compare` and the text of a missed gate then use it.
struct RecordedSolution {
  CheckVerdict solution;
  /// The gates' counts of a stored mistake, by its name.
  std::map<std::string, std::vector<GateResult>> mistakes;
  /// The descriptions of the mistakes, for people, by name.
  std::map<std::string, std::string> descriptions;
};

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

/// Reads what record_solution wrote.
/// @throws Failure (status 3) for any other text.
RecordedSolution parse_recorded_solution(const std::string& json);

}  // namespace warpwise::tutor
