#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The purpose of a cell's command: it sees what that needs.
enum class Purpose {
  compiling,  ///< the toolkit; the cell's folder may be written.
  checking,   ///< the simulator and the checks, for answers whose own code is a kernel's alone.
  running     ///< the simulator and the runner; nothing may be written.
};

/// The words with which bubblewrap starts a command that sees the tools for its purpose alone:
/// neither the course nor private exercises, wherever they are, and no network.
/// @param folder of the cell. @param user_namespace without root.
std::vector<std::string> bubblewrap(const Context& context, const std::filesystem::path& folder,
                                    Purpose purpose, bool user_namespace);

/// The path with all links resolved; the path itself when that fails.
std::filesystem::path real(const std::filesystem::path& path);

}  // namespace warpwise::tutor
