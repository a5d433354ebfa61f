#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tutor/system/process.h"

namespace warpwise::tutor {

/// Runs git on a checkout: without a terminal, without questions, in English.
class Git {
 public:
  explicit Git(std::filesystem::path root) : root_(std::move(root)) {}

  /// Whether `root` is the top of a checkout, and git is there to ask.
  bool is_checkout() const;

  /// Runs `git WORDS...`.
  /// @throws Failure (status 3) when git cannot be started; Interrupted.
  Outcome run(const std::vector<std::string>& words,
              const std::vector<std::pair<std::string, std::string>>& environment = {}) const;

  /// As run, for a command that is not expected to fail.
  /// @return what it printed, without the last newline.
  /// @throws Failure (status 3) with git's own words when it fails.
  std::string ask(const std::vector<std::string>& words,
                  const std::vector<std::pair<std::string, std::string>>& environment = {}) const;

 private:
  std::filesystem::path root_;
};

}  // namespace warpwise::tutor
