#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tutor/context.h"
#include "tutor/course.h"

namespace warpwise::tutor {

/// How one thing that an author must get right turned out.
struct Finding {
  enum class Result { passed, failed, skipped };
  Result result = Result::passed;
  std::string why;  ///< of a failure or a skip.
};

inline Finding failed(std::string why) { return {Finding::Result::failed, std::move(why)}; }

/// One thing to look at. Thunks of different items may run at the same time.
struct CheckItem {
  std::string subject;  ///< "ch05_warp_reduce/01_lane_sum", or a folder.
  std::string what;     ///< "mistake no_guard"
  std::function<Finding()> look;
};

/// Why an author's check of an exported exercise is a skip.
inline constexpr std::string_view without_solutions = "this course was exported without solutions";

/// What can be seen without compiling: the six files, the stub's text, hints, explanation, README.
std::vector<CheckItem> paper_items(const Chapter& chapter, const Exercise& exercise);

/// What has to be compiled and judged: stub, solution, every mistake.
/// @pre the check program of the exercise is built.
std::vector<CheckItem> judged_items(const Context& context, const Exercise& exercise);

/// Files and folders among the lessons that belong to nothing.
CheckItem stray_item(const Course& course);

}  // namespace warpwise::tutor
