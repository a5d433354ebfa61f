#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace warpwise::tutor {

/// Bytes of a text that a person writes; a longer one is neither read, nor packed, nor judged.
inline constexpr std::size_t longest_text = std::size_t{1} << 20;

/// Reads a whole regular file. Never waits: a pipe or a device is refused, whatever a link to it
/// is called.
/// @param most bytes; a longer file is refused before anything of it is read.
/// @throws Failure (status 3) when it cannot be read.
std::string read_file(const std::filesystem::path& path, std::size_t most = std::size_t(-1));

/// As read_file, for what a learner or an instructor wrote: at most `longest_text`.
std::string read_text(const std::filesystem::path& path);

/// Whether a file can be read and has this text.
bool has_text(const std::filesystem::path& path, std::string_view text);

/// Replaces a file at once: readers see the old text or the new one, never a part. A target that is
/// not a regular file (a pipe, /dev/stdout) is written to directly.
/// @throws Failure (status 3) when it cannot be written; the old file then stays.
void write_atomically(const std::filesystem::path& path, std::string_view text);

/// As write_atomically, but a file that has this text already keeps its time: what was made from it
/// stays up to date.
void write_if_changed(const std::filesystem::path& path, const std::string& text);

/// Tries whether write_atomically would work, and changes nothing.
/// @throws Failure (status 3) when it would not.
void require_writable(const std::filesystem::path& path);

/// Creates a folder and its parents.
/// @throws Failure (status 3) when that cannot be done.
void make_folder(const std::filesystem::path& path);

/// A name next to `path` for a file that will be renamed to it; removed when this object ends.
class PendingFile {
 public:
  explicit PendingFile(std::filesystem::path target);
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  ~PendingFile();
  const std::filesystem::path& path() const { return path_; }
  /// Moves the file to its place.
  /// @throws Failure (status 3) when that cannot be done.
  void commit();

 private:
  std::filesystem::path target_, path_;
};

/// A new folder below the system's temporary one, removed with everything in it at the end.
class TemporaryFolder {
 public:
  /// @throws Failure (status 3) when it cannot be made.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The path as a person would write it: relative to the current folder where that is shorter.
std::string shown(const std::filesystem::path& path);

/// "PATH cannot be WHAT: REASON".
/// @param what "read", "written", ... @param reason an errno.
/// @throws Failure (status 3), always.
[[noreturn]] void cannot(const char* what, const std::filesystem::path& path, int reason);
[[noreturn]] void cannot(const char* what, const std::filesystem::path& path,
                         const std::string& reason);

}  // namespace warpwise::tutor
