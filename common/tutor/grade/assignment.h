#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tutor/course/course.h"

namespace warpwise::tutor {

/// How much of an exercise's points each stage brings, in percent; together 100. A stage counts
/// when all before it are reached.
struct Shares {
  /// An empty body also compiles and runs clean: by default neither earns anything.
  double compiles = 0;
  double clean = 0;   ///< no error was diagnosed.
  double right = 70;  ///< all results are right.
  double good = 30;   ///< the gates are met.
};

/// One exercise of an assignment.
struct Task {
  Exercise exercise;
  double points = 1;
};

/// The assignment that is graded.
struct Assignment {
  std::string title;
  std::vector<Task> tasks;
  std::optional<std::chrono::system_clock::time_point> deadline;
  double late_percent = 0;  ///< taken off for each day begun after the deadline.
  Shares shares;

  double points() const;
};

/// Reads an assignment; docs/GRADING.md has the format. A text that begins with "{" is JSON,
/// anything else is one thing a line: an exercise or a chapter and its points, or a setting.
/// @param name of the file, for errors.
/// @throws Failure (status 2) with the name and, for lines, the line's number.
Assignment parse_assignment(std::string_view text, const std::string& name, const Course& course);

/// As parse_assignment, of a file.
/// @throws Failure: status 3 when it cannot be read.
Assignment read_assignment(const std::filesystem::path& file, const Course& course);

/// Every exercise of the course, one point each, no deadline.
Assignment whole_course(const Course& course);

/// Reads "2026-11-30 23:59", with a "T", seconds, and "Z" or "+01:00" after it if wanted; without a
/// zone it is local time.
/// @return nothing for anything else, and for a day that does not exist.
std::optional<std::chrono::system_clock::time_point> parse_time(std::string_view text);

/// The percentage of the points that is left when something came so late.
double percent_when(const Assignment& assignment,
                    std::optional<std::chrono::system_clock::time_point> handed_in);

}  // namespace warpwise::tutor
