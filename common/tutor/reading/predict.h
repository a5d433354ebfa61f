#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tutor/course/course.h"
#include "tutor/reading/predictions.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// Asks each question of a chapter and keeps what is answered in the progress, at once.
/// @param read gives the next line, or nothing at the end of the input. An empty line keeps the
///   guess of an earlier time, or skips the question.
/// @param write takes what a person reads.
/// @throws Failure (status 3) when the progress cannot be written.
void ask_predictions(const Context& context, const Chapter& chapter, const Predictions& predictions,
                     const std::function<std::optional<std::string>()>& read,
                     const std::function<void(const std::string&)>& write);

/// The guesses that the progress has, each next to its answer. An answer is left out while all of
/// its questions are skipped.
/// @param width in columns.
/// @return the text, or nothing without a guess.
std::string compared_predictions(const Context& context, const Chapter& chapter,
                                 const Predictions& predictions, std::size_t width);

/// `learn predict CHAPTER`: asks for the guesses, runs the chapter's program, and shows guesses and
/// answers next to each other. Questions and answers are those that the README marks.
/// @param recorded without a run: the answers with the recorded numbers alone.
/// @param flags for the chapter's program.
/// @return the exit status of the program; 0 where it was not run.
int predict_command(const Context& context, const std::string& name, bool recorded,
                    const std::vector<std::string>& flags);

}  // namespace warpwise::tutor
