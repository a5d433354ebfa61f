#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpwise::tutor {

/// The course as it was when the learner got it: it tells a learner's change from an old file.
struct UpdateBase {
  /// text_hash of each file; nothing when it is not known.
  std::optional<std::map<std::string, std::string>> files;
  /// Merges a learner's change and the course's, where the old text is there too.
  /// @return nothing when both changed the same lines.
  std::function<std::optional<std::string>(const std::string& path, const std::string& mine,
                                           const std::string& next)>
      merge;
};

/// One file that an update writes or removes.
struct UpdateStep {
  std::string path;                 ///< relative to the course.
  std::optional<std::string> text;  ///< the new one; nothing: the file is removed.
  bool keep = false;                ///< the learner's own text was there: it is kept aside.
  bool executable = false;
};

/// The steps of an update, and its messages.
struct UpdatePlan {
  std::vector<UpdateStep> steps;
  std::vector<std::string> new_exercises;   ///< ids.
  std::vector<std::string> gone_exercises;  ///< ids that the course no longer has.
  std::vector<std::string> renumbered;      ///< "ch01_x/05_y -> ch01_x/06_y".
  std::vector<std::string> edited;          ///< exercises of the learner's that stay as they are.
  std::vector<std::string> new_stubs;       ///< paths: the stub changed under an edited exercise.
  std::vector<std::string> merged;          ///< paths that both changed, in different lines.

  bool nothing() const { return steps.empty(); }
};

/// The suffix of a stub's name where it is next to an edited exercise.
inline constexpr const char* new_stub_suffix = ".new_stub";

/// Compares a learner's course with a newer one. An exercise that was edited stays, or moves with
/// its number; a stub that
/// changed below it is put next to it. Another file that only the learner changed stays, one that
/// only the course changed is replaced; where both changed it, they are merged, or the course's
/// text comes and the learner's is kept. Files that neither course has are left alone.
/// @param root the learner's. @param next the newer course; its exercises may be solved.
/// @throws Failure (status 3) when a file cannot be read; status 2 when `next` is a course without
///   solutions and this one has them.
UpdatePlan plan_update(const std::filesystem::path& root, const std::filesystem::path& next,
                       const UpdateBase& base);

}  // namespace warpwise::tutor
