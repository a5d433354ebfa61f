#pragma once
#include <filesystem>
#include <string>

namespace warpwise::tutor {

/// A file that one process at a time holds.
class FileLock {
 public:
  /// Waits for the lock; says so on stderr when that takes longer than half a second.
  /// @param reason what is waited for: "another build".
  /// @throws Interrupted while waiting; Failure (status 3) when the file cannot be opened.
  FileLock(const std::filesystem::path& file, const std::string& reason);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  int file_;
};

/// Held by whoever builds: two builds in one folder at the same time would overwrite each other.
class BuildLock : public FileLock {
 public:
  explicit BuildLock(const std::filesystem::path& build)
      : FileLock(build / "learn.lock", "another build") {}
};

}  // namespace warpwise::tutor
