#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/frame.h"
#include "tutor/attempt/compile.h"
#include "tutor/attempt/verdict.h"
#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// @return the stored mistakes of an exercise; none in a course exported without solutions.
/// @throws Failure: status 3 when the file cannot be read, 1 with file and line when it is
/// malformed.
std::vector<lesson::Mistake> read_mistakes(const Exercise& exercise);

/// A mistake as an image of its own.
struct MistakeImage {
  std::filesystem::path path;
  Compiled compiled;
};

/// Puts a mistake into the frame's blank and compiles it, below build/mistakes/, unless just this
/// text was compiled before.
/// Locations in the image point into the mistakes file and the frame.
MistakeImage compile_mistake(const Context& context, const Exercise& exercise,
                             const lesson::Mistake& mistake);

/// Compiles a mistake and judges it on the simulator.
/// @throws Failure: status 1 when it does not compile; otherwise as judge().
Verdict judge_mistake(const Context& context, const Exercise& exercise,
                      const lesson::Mistake& mistake);

/// Whether a verdict is the declared death of a mistake: its kind and, where the verdict has a
/// line, the line that carries the expectation.
/// @return what differs, as a sentence; empty when nothing does.
std::string difference(const Exercise& exercise, const lesson::Mistake& mistake,
                       const CheckVerdict& verdict);

}  // namespace warpwise::tutor
