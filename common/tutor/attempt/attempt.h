#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tutor/attempt/verdict.h"
#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The result of one look at a learner's file.
struct Attempt {
  std::string text_hash;  ///< of the text that was looked at.
  /// "not solved yet", "does not compile", or the verdict of the check: "pass", "diagnosed", ...
  std::string verdict;
  std::optional<Verdict> judged;  ///< what the check said, where it was asked.
  std::string text;               ///< for people; each line ends with a newline.
  double compile_s = 0;           ///< wall time of the compiler, in seconds.
  double judge_s = 0;             ///< wall time of the check.

  bool passed() const { return verdict == "pass"; }
};

/// Compiles and judges the learner's file, and remembers the verdict in the progress, unless
/// another text was saved meanwhile. Prints nothing.
/// @param flags for the check program.
/// @param meanwhile brings the check program up to date while the compiler works; nothing where it
///   is known to be.
/// @throws Failure: status 3 when the file is missing or cannot be judged here; Interrupted.
Attempt attempt(const Context& context, const Exercise& exercise,
                const std::vector<std::string>& flags = {},
                const std::function<void()>& meanwhile = {});

/// Brings up to date what attempt() needs for an exercise: its check, and what that depends on.
std::vector<std::string> targets_of(const Exercise& exercise);

}  // namespace warpwise::tutor
