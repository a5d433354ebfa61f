#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/frame.h"
#include "lesson/results/results.h"
#include "lesson/start/options.h"

/// \file
/// The exercises of a chapter, the learner's next to the solution: each row is a check program run
/// as a child, so that one that hangs or crashes costs only itself. \ingroup lesson
namespace warpwise::lesson {

/// Where the files of one exercise are.
struct ExerciseFiles {
  std::string chapter, name;
  std::filesystem::path source;          ///< the learner's.
  AnswerFiles answer;                    ///< ours.
  std::filesystem::path image;           ///< of the source, made with the chapter.
  std::filesystem::path solution_image;  ///< of the solution, made by the build.
  std::filesystem::path check;           ///< the check program.
  std::filesystem::path errors;          ///< why the source has no image: its first error.
};

/// All exercises of a chapter: the files of its checks/ folder, in order of their names.
/// @param repository the folder with chapters/. @param build the folder with the programs.
std::vector<ExerciseFiles> find_exercises(const std::filesystem::path& repository,
                                          const std::filesystem::path& build,
                                          const std::string& chapter);

/// How far the learner's file is, without running anything.
enum class Progress { missing, open, not_built, outdated, broken, built };
Progress progress_of(const ExerciseFiles& files);

/// "ch05/01": what `./learn` accepts for an exercise.
std::string short_id(const ExerciseFiles& files);

/// A row from the JSON that a check program writes.
/// @throws Stop (environment) for another text.
ExerciseRow parse_outcome(const std::string& json);

/// Whether an exercise is meant by a part of its name or by its id, "01_lane_sum", "ch05/01" or
/// "01".
bool is_named(const ExerciseFiles& files, const std::string& part);

/// Two rows for each exercise.
std::vector<ExerciseRow> exercise_rows(const std::vector<ExerciseFiles>& exercises,
                                       DeviceChoice device, const std::string& gpu);

}  // namespace warpwise::lesson
