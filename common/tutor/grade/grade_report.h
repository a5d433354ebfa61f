#pragma once
#include <string>

#include "tutor/grade/grade.h"

namespace warpwise::tutor {

/// For people: one row for each submission with a sign for each exercise, what the signs mean, and
/// what was wrong with broken submissions.
std::string grading_table(const Grading& grading);

/// For people: for each exercise the share of the class at each stage, and what the others died of.
std::string grading_summary(const Grading& grading);

/// Everything, as data.
std::string grading_json(const Grading& grading);

/// A test suite for each submission, a test case for each exercise.
std::string grading_junit(const Grading& grading);

/// A line for each submission: name, points, of how many, percent, when, problem, points of each
/// exercise.
std::string grading_csv(const Grading& grading);

/// Gradescope's results.json for one submission.
/// @throws Failure (status 2) unless there is exactly one.
std::string grading_gradescope(const Grading& grading);

}  // namespace warpwise::tutor
