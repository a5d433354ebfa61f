#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tutor/system/context.h"
#include "tutor/update/update_plan.h"

namespace warpwise::tutor {

/// A text of the learner's that made room, and where it is now.
struct KeptText {
  std::string path;
  std::filesystem::path kept;
};

/// Does what a plan says, whole or not at all: new texts are written to the disk first, then files
/// change places, and when one cannot, all change back.
/// @param commit called when all files are in place; when it throws, they change back too.
/// @return the texts of the learner's that were replaced.
/// @throws Failure (status 3); everything is then as it was.
std::vector<KeptText> apply_update(const Context& context, const UpdatePlan& plan,
                                   const std::function<void()>& commit = {});

/// Puts back what an update left that was killed half-way; one that was all but finished keeps
/// every text that was replaced.
/// @return whether there was one.
bool undo_killed_update(const Context& context);

}  // namespace warpwise::tutor
