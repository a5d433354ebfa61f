#pragma once
#include <filesystem>
#include <string>

#include "tutor/course/course.h"
#include "tutor/course/progress.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// @return the image of the learner's file: build/exercises/CH/NAME.image.
std::filesystem::path learner_image(const Context& context, const Exercise& exercise);

/// The text an exercise is handed out with, made from its frame.
/// @throws Failure: status 3 when the frame cannot be read, 1 when it has no blank.
std::string stub_of(const Exercise& exercise);

/// Whether the learner's file is still its stub but for comments and white space.
/// @throws Failure: status 3 when a file cannot be read, 1 when the frame has no blank.
bool not_solved_yet(const Exercise& exercise);

/// @return one of "missing", "not solved yet", "edited" (never judged since), "solved", or the last
///   verdict on just this text: "does not compile", "wrong result", "gate", ...
std::string state(const Progress& progress, const Exercise& exercise);

/// As people read it: a verdict with the kind of its diagnosis or gate, "diagnosed: race".
std::string state_text(const std::string& state, const std::string& kind);

/// @return what a list shows: state_text(), after "solved, now" where an earlier text passed.
std::string mark_text(const Progress& progress, const Exercise& exercise);

/// @return state() with the kind, if the verdict has one.
std::string state_text(const Progress& progress, const Exercise& exercise);

}  // namespace warpwise::tutor
