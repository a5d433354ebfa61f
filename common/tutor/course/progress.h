#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The record of one exercise.
struct ExerciseProgress {
  std::string text;     ///< text_hash of the learner's file that the verdict is about.
  std::string verdict;  ///< the last one: "pass", "diagnosed", "does not compile", ...; or empty.
  std::string kind;     ///< of its diagnosis or missed gate; or empty.
  std::vector<int> hints;  ///< numbers of the hints that were shown, in that order.
  bool solved = false;     ///< some text of it passed; no later edit takes that away.

  bool operator==(const ExerciseProgress&) const = default;
};

/// A checkout's record of its learner: one small text file, `.progress`, by the exercises' ids. It
/// survives a new build folder, and new numbers of the exercises.
struct Progress {
  std::string current;  ///< id of the exercise the learner was at last; or empty.
  std::map<std::string, ExerciseProgress, ByExercise> exercises;
  /// The learner's guesses, by CHAPTER/QUESTION: one line each, no tab in it. See predictions.h.
  std::map<std::string, std::string> guesses;
  /// Name of a damaged progress file that was moved aside and not rebuilt yet; or empty. See
  /// rebuild_progress().
  std::string damaged;

  bool operator==(const Progress&) const = default;
};

/// @return the file: .progress at the top of the checkout.
std::filesystem::path progress_file(const Context& context);

/// Reads the file; an empty Progress when there is none. A damaged file is renamed, and the result
/// names it.
/// @throws Failure (status 3) when it cannot be read or renamed.
Progress read_progress(const Context& context);

/// Reads the file, lets `change` change it and writes it at once; other processes wait meanwhile.
/// @throws Failure (status 3) when it cannot be written.
void update_progress(const Context& context, const std::function<void(Progress&)>& change);

/// The file's text, one line for each exercise and each guess, its fields separated by tabs.
std::string to_text(const Progress& progress);

/// @return nothing when the text is not what to_text writes: cut short, merged, of another version.
std::optional<Progress> parse_progress(std::string_view text);

/// Equal texts have equal hashes, on every machine: 16 hexadecimal digits.
std::string text_hash(std::string_view text);

/// Whether the learner was at this exercise last.
bool is_current(const Progress& progress, const Exercise& exercise);

/// Whether some text of the exercise passed, this one or an earlier one.
bool was_solved(const Progress& progress, const Exercise& exercise);

/// The last verdict on just this text of the learner's file.
/// @return null when the file was never judged, or changed since.
const ExerciseProgress* verdict_on(const Progress& progress, const Exercise& exercise,
                                   std::string_view text);

}  // namespace warpwise::tutor
