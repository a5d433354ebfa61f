#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tutor/attempt/verdict.h"
#include "tutor/grade/assignment.h"
#include "tutor/grade/sandbox.h"
#include "tutor/grade/submission.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// How far an answer came; each stage means that it also reached all before it.
enum class Stage { nothing, compiles, clean, right, good };

/// One exercise of one submission.
struct Mark {
  Stage stage = Stage::nothing;
  /// A check's verdict, or "missing", "not solved yet", "not accepted", "does not compile", "not
  /// judged".
  std::string verdict;
  std::string kind;     ///< of a diagnosis, or the missed gate's name; or empty.
  std::string message;  ///< what is wrong; or empty.
  unsigned line = 0;    ///< of the student's file; 0: none.
  std::string note;     ///< what was left out though it was judged; or empty.
  double points = 0;    ///< before anything is taken off for coming late.
};

/// One submission, graded.
struct Graded {
  Submission submission;
  std::vector<Mark>
      marks;             ///< in the order of the assignment's exercises; empty when it is broken.
  double percent = 100;  ///< of the points that is left for when it came.
  double points = 0;     ///< all together, after that.

  bool late() const { return percent < 100 || late_without_loss; }
  bool late_without_loss = false;
};

/// A class, graded.
struct Grading {
  Assignment assignment;
  std::vector<Graded> rows;
  std::string isolation;           ///< how the submissions were isolated from each other.
  std::vector<std::string> twins;  ///< names that several submissions have, a sentence each.
  std::vector<std::string> gaps;   ///< and what that does not keep out.
  /// Exercises that could not be judged for any submission, and why.
  std::vector<std::string> broken;
  std::string seed;        ///< of the hidden inputs: --seed repeats it.
  std::size_t judged = 0;  ///< texts that were compiled and judged, equal ones once.
  double seconds = 0;      ///< wall time of that.
};

/// The options of `learn grade`.
struct GradeOptions {
  std::vector<std::filesystem::path> places;
  std::filesystem::path assignment;  ///< empty: every exercise, one point each.
  std::filesystem::path json, junit, csv, gradescope;
  bool summary = false;
  std::string isolation = "auto";
  std::string seed;      ///< empty: a new one.
  std::size_t jobs = 0;  ///< 0: as many as there are cores.
  /// Wall time of the compiler and of the check, for what no limit on processor time ends.
  std::chrono::milliseconds patience{60'000};
};

/// Reads, judges and counts; prints nothing but progress on a terminal.
/// @throws Failure as its parts do; nothing that a submission holds makes it throw.
Grading grade(const Context& context, const GradeOptions& options);

/// `learn grade`. @return 0 when every submission was judged, 1 when one could not be.
int grade_command(const Context& context, const GradeOptions& options);

/// The points of a stage.
double points_of(Stage stage, double points, const Shares& shares);

/// The stage of a check's verdict.
Stage stage_of(const CheckVerdict& verdict);

}  // namespace warpwise::tutor
