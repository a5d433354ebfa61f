#pragma once
#include <filesystem>
#include <string>

#include "lesson/exercise_rows.h"

/// \file
/// The images of a learner's files, as the build of a chapter makes them. \ingroup lesson
namespace warpwise::lesson {

/// The maker of an image: nvcc, and the folder of the build with its flags.
struct ImageMaker {
  std::filesystem::path nvcc;
  std::filesystem::path build;  ///< image_flags/KIND.txt is in it: one flag per line.
};

/// Compiles a learner's file where it is solved and newer than its image, nvcc or the flags. A file
/// that does not compile leaves no image, and its first error in `files.errors`.
/// @return what to tell: "ch05/01: exercises/...:21: error: ..."; empty where nothing was done.
/// @throws Stop (environment) where the image cannot be written or nvcc not started.
std::string refresh_learner_image(const ExerciseFiles& files, const ImageMaker& maker);

/// The first error of a compiler's output as "file:line: message"; one of `source` before others.
std::string first_error(const std::string& output, const std::filesystem::path& source);

}  // namespace warpwise::lesson
