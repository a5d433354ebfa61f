#include <fmt/format.h>

#include "tutor/grade/grade.h"
#include "tutor/grade/grade_report.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

int grade_command(const Context& context, const GradeOptions& options) {
  const struct {
    const std::filesystem::path& file;
    std::string (*text)(const Grading&);
  } outputs[]{{options.json, grading_json},
              {options.junit, grading_junit},
              {options.csv, grading_csv},
              {options.gradescope, grading_gradescope}};
  // Before the minutes that judging takes.
  if (!options.gradescope.empty() && options.places.size() != 1) {
    throw Failure(status_usage, "--gradescope is for one submission: name one place");
  }
  for (const auto& output : outputs) {
    if (!output.file.empty()) require_writable(output.file);
  }
  const Grading grading = grade(context, options);
  for (const auto& output : outputs) {
    if (!output.file.empty()) write_atomically(output.file, output.text(grading));
  }
  fmt::print("{}", grading_table(grading));
  if (options.summary) fmt::print("\n{}", grading_summary(grading));
  if (!grading.broken.empty()) return status_wrong;
  for (const Graded& row : grading.rows) {
    if (!row.submission.problem.empty()) return status_wrong;
    for (const Mark& mark : row.marks) {
      if (mark.verdict == "not judged") return status_wrong;
    }
  }
  return status_ok;
}

}  // namespace warpwise::tutor
