#pragma once
#include <filesystem>
#include <string>

#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The parts that an export takes along.
struct ExportOptions {
  bool solutions = false;  ///< the instructor's copy: solutions, mistakes, notes.
  bool explanations =
      false;  ///< without solutions: what is shown after solving, without the notes.
};

/// Writes the course to a new folder, every exercise open. Without solutions, chapters/CH/pristine/
/// holds the stub of each exercise and what its check said of the solution, counted now, so that
/// reset, hint and compare still work there.
/// @param folder does not exist or is empty, and is outside of the checkout. It appears when it
///   is whole, or not at all.
/// @throws Failure: status 2 for another folder, or when solutions are wanted that are not here;
///   status 1 when a solution does not pass its check; status 3 when something cannot be written.
void export_course(const Context& context, const std::filesystem::path& folder,
                   const ExportOptions& options);

/// `learn export DIR`.
int export_command(const Context& context, const std::string& folder, const ExportOptions& options);

}  // namespace warpwise::tutor
