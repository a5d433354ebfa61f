#include "tutor/update/git.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

bool Git::is_checkout() const {
  std::error_code ignored;
  // A checkout of ours may be inside a larger one of another project: that one is not asked.
  if (!fs::exists(root_ / ".git", ignored)) return false;
  try {
    return run({"rev-parse", "--git-dir"}).status == 0;
  } catch (const Failure&) {
    return false;
  }
}

Outcome Git::run(const std::vector<std::string>& words,
                 const std::vector<std::pair<std::string, std::string>>& environment) const {
  Command command{.words = {"git", "-C", root_.string()},
                  .environment = {{"GIT_TERMINAL_PROMPT", "0"}, {"LC_ALL", "C"}},
                  .limit = std::chrono::minutes(5),
                  .output_bytes = std::size_t{64} << 20};
  command.words.insert(command.words.end(), words.begin(), words.end());
  command.environment.insert(command.environment.end(), environment.begin(), environment.end());
  return run_captured(command);
}

std::string Git::ask(const std::vector<std::string>& words,
                     const std::vector<std::pair<std::string, std::string>>& environment) const {
  Outcome outcome = run(words, environment);
  if (outcome.status != 0) {
    throw Failure(status_environment,
                  fmt::format("git {} failed in {}:\n{}", fmt::join(words, " "), shown(root_),
                              !outcome.err.empty()   ? outcome.err
                              : !outcome.out.empty() ? outcome.out
                                                     : "is another git at work there?"));
  }
  if (outcome.out.ends_with('\n')) outcome.out.pop_back();
  return outcome.out;
}

}  // namespace warpwise::tutor
