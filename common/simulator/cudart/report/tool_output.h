#pragma once
#include <chrono>
#include <string>
#include <vector>

namespace warpwise::cudart {

/// What a tool of the system printed.
struct ToolOutput {
  bool missing = false;  ///< the program was not found.
  bool failed = false;   ///< missing, forbidden, or ended by the limit: the text is empty.
  std::string text;
};

/// Runs a tool for the library's own needs and waits for it. It inherits only PATH from the
/// program's environment, and its output on stderr is lost. Never throws for a tool that does not
/// run: some programs may not start others.
/// @param limit wall time, after which the tool is killed.
ToolOutput output_of(const std::vector<std::string>& words, std::chrono::milliseconds limit);

}  // namespace warpwise::cudart
