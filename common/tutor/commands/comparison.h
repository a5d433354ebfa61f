#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// One number of both sides; absent where it was not counted.
struct ComparedRow {
  std::string group;  ///< "global loads"; rows of one group are adjacent.
  std::string name;   ///< "sectors of each"
  std::optional<double> yours, solution;

  bool differs() const;
};

/// A learner's answer and the solution, side by side.
struct Comparison {
  std::string yours_state, solution_state;  ///< "pass", "not solved yet", "wrong result", ...
  std::string yours_size, solution_size;    ///< at which the counts were taken.
  std::vector<ComparedRow> rows;

  bool same_size() const { return yours_size == solution_size && !yours_size.empty(); }
};

/// Judges both. @throws as compare_text.
Comparison compare(const Context& context, const Exercise& exercise);

/// The rows that differ, the largest difference first: how many times the smaller number the larger
/// one is. None where the counts are not of the same size.
std::vector<ComparedRow> differences(const Comparison& both);

/// "global loads: 16.5 sectors of each, not 4"
std::string difference_text(const ComparedRow& row);

/// One sentence: how far yours is, and what differs most.
std::string conclusion(const Comparison& both);

}  // namespace warpwise::tutor
