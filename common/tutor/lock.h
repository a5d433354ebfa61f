#pragma once
#include <filesystem>

namespace warpwise::tutor {

/// Held by whoever builds: two builds in one folder at the same time would overwrite each other.
class BuildLock {
 public:
  /// Waits for the lock of a build folder; says so once when it has to.
  /// @throws Interrupted while waiting; Failure (status 3) when the lock file cannot be opened.
  explicit BuildLock(const std::filesystem::path& build);
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;
  ~BuildLock();

 private:
  int file_;
};

}  // namespace warpwise::tutor
