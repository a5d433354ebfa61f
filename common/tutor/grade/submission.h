#pragma once
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tutor/course/course.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

/// The text that was handed in for an exercise's file.
struct SubmittedText {
  std::string text;
  std::string problem;  ///< why the text cannot be judged: "missing", "is a symbolic link", ...
};

/// The files that one student handed in, read but not run.
struct Submission {
  std::string name;     ///< of the folder, or of the archive without its ending.
  std::string file;     ///< the same with the ending.
  std::string problem;  ///< why nothing of it can be judged; empty: nothing in the way.
  /// When it came, as the file system says: the archive's time, or the newest exercise's.
  std::optional<std::chrono::system_clock::time_point> handed_in;
  std::map<std::string, SubmittedText> texts;  ///< by the exercises' ids.
};

/// The submissions in the places that were named. A place that holds exercises/ itself, or is a
/// file, is one; otherwise each entry of it is one, hidden ones left out.
/// @throws Failure (status 2) for a place that does not exist, (status 3) cannot be read, or
///   (status 2) is empty.
std::vector<std::filesystem::path> find_submissions(
    const std::vector<std::filesystem::path>& places, const Course& course);

/// Reads the files of some exercises. Never throws for what a student can have caused: that is a
/// `problem`. Follows no links.
Submission read_submission(const std::filesystem::path& path, const Course& course,
                           const std::vector<Exercise>& wanted);

}  // namespace warpwise::tutor
