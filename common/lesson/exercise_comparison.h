#pragma once
#include <string>

#include "lesson/results/results.h"

/// \file
/// One exercise, the learner's next to the solution, number by number. \ingroup lesson
namespace warpwise::lesson {

/// Verdicts, counts, gates and occupancy of both, a line each; what is wrong below.
std::string comparison_text(const ExerciseRow& yours, const ExerciseRow& solution);

}  // namespace warpwise::lesson
