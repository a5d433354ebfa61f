#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tutor/course/course.h"

namespace warpwise::tutor {

/// The meaning of a NAME on the command line: a chapter, or one of its exercises.
struct Found {
  const Chapter* chapter = nullptr;
  const Exercise* exercise = nullptr;  ///< null for the chapter itself.
};

/// Finds a chapter or an exercise by any unambiguous part of its id: "ch05", "lane_sum", "ch05/01";
/// or by the path of its file. An exact name wins over a beginning, a beginning over any other
/// part.
/// @return pointers into `course`.
/// @throws Failure (status 2) that lists the candidates when several match, the nearest names when
///   none does.
Found find(const Course& course, std::string_view name);

/// As find, for commands about one exercise.
/// @throws Failure (status 2) also when the name is a chapter's, with its exercises.
const Exercise& find_exercise(const Course& course, std::string_view name);

/// A stranger's name, fit for a terminal: short, without control characters.
std::string printable(std::string_view name);

/// @return up to `most` of the names, the most similar to `wanted` first.
std::vector<std::string> nearest(std::string_view wanted, const std::vector<std::string>& names,
                                 std::size_t most = 3);

}  // namespace warpwise::tutor
