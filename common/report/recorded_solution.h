#pragma once
#include <map>
#include <string>

#include "report/verdict.h"

/// \file
/// What is shown of a solution to users who may not see it, and its JSON in both directions.
/// \ingroup report
namespace warpwise::report {

struct RecordedMistake {
  std::string description;  ///< for people.
  CheckVerdict verdict;
};

/// The verdict on a solution with its counts, and those on the mistakes that its gates name.
struct RecordedSolution {
  CheckVerdict solution;
  std::map<std::string, RecordedMistake> mistakes;  ///< by name.
};

/// The JSON of the verdict on the solution, with a member "mistakes".
std::string to_json(const RecordedSolution& record);

/// Reads what to_json wrote.
/// @throws NoVerdict for any other text.
RecordedSolution parse_recorded_solution(const std::string& json);

}  // namespace warpwise::report
