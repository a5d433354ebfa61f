#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpwise::tutor {

/// Which course a folder holds.
struct CourseVersion {
  std::string version;  ///< "0.1", from its CMakeLists.txt.
  std::string commit;   ///< the last one that changed more than exercises/; empty: unknown.

  /// "0.1, commit 0123456789".
  std::string text() const;
};

/// The record that an export writes in `.course`: a folder without git knows then which course it
/// is, and which of its files were changed since.
struct CourseRecord {
  CourseVersion course;
  std::map<std::string, std::string> files;  ///< text_hash of each file by its path.
};

/// The name of that record, at the top of a course.
inline constexpr const char* course_record_file = ".course";

/// The files that belong to a course, as paths relative to its folder, in order: in a checkout
/// those that git does not ignore, elsewhere all but what is built or belongs to the learner alone.
/// Links are left out.
/// @throws Failure (status 3) when the folder cannot be read.
std::vector<std::string> course_files(const std::filesystem::path& root);

/// The record of a course as its files are, whatever it says of itself.
/// @throws Failure (status 3) when a file cannot be read.
CourseRecord record_course(const std::filesystem::path& root);

/// @return the record; nothing when there is none or it is not readable.
std::optional<CourseRecord> read_course_record(const std::filesystem::path& root);
std::string to_text(const CourseRecord& record);

/// From the record or from git.
CourseVersion course_version(const std::filesystem::path& root);

}  // namespace warpwise::tutor
