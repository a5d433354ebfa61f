#pragma once
#include <string>

#include "tutor/context.h"

namespace warpwise::tutor {

/// A file that one process at a time holds.
class FileLock {
 public:
  /// Waits for the lock; says so when that takes longer than half a second, and
  /// which command holds it since when.
  /// @param file its name in the build folder.
  /// @param reason what is waited for: "another build".
  /// @throws Interrupted while waiting; Failure (status 3) when the file cannot be opened.
  FileLock(const Context& context, const std::string& file, const std::string& reason);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  /// Writes into the file which command holds it, and since when.
  void sign() const;

  int file_;
};

/// Held by whoever builds: two builds in one folder at the same time would overwrite each other.
class BuildLock : public FileLock {
 public:
  explicit BuildLock(const Context& context) : FileLock(context, "learn.lock", "another build") {}
};

}  // namespace warpwise::tutor
