#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "report/verdict.h"
#include "tutor/course/course.h"
#include "tutor/system/context.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {

using report::CheckVerdict;
using report::GateResult;

/// The answer of a check program about one image.
struct Verdict : CheckVerdict {
  std::string text;  ///< what the program printed, for people.
};

/// The check ended with status 3: what it needs is not here, such as a GPU.
struct CannotRunHere : Failure {
  using Failure::Failure;
};

/// Runs the check of an exercise on an image.
/// @param flags for the check program, such as {"--device", "sim"}.
/// @throws CannotRunHere as its text says; Failure (status 3) when the check cannot judge: it is
/// not
///   built, crashes, takes longer than its limit or its answer makes no sense.
Verdict judge(const Context& context, const Exercise& exercise, const std::filesystem::path& image,
              const std::vector<std::string>& flags = {});

/// The verdict in a file that a check or `export` wrote.
/// @throws Failure (status 3) when the text is not a verdict.
CheckVerdict verdict_in(const std::string& json);

}  // namespace warpwise::tutor
