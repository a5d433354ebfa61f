#pragma once
#include <string>
#include <vector>

namespace warpwise::tutor {

/// The permission for packages that are missing for the pages.
enum class Permission {
  install,  ///< without a question.
  ask,      ///< a person at the terminal decides.
  name,     ///< nothing is installed; the one command is named.
};

/// @param is_root this process may install packages at all.
/// @param is_allowed `./learn --yes`: the learner agreed before the run.
/// @param has_terminal the learner can be asked.
Permission permission(bool is_root, bool is_allowed, bool has_terminal);

/// The packages that the pages need and this machine lacks.
/// @param api for the reference of common/ alone.
std::vector<std::string> missing_packages(bool api);

/// Installs what is missing, as permission() says for this process.
/// @throws Failure (status 3) with the command to type where nothing was installed.
void require_packages(bool api);

}  // namespace warpwise::tutor
