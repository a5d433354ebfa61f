#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warpwise::tutor::watch {

/// The change of one file.
struct FileChange {
  enum class What {
    changed,    ///< it has another text.
    unchanged,  ///< it was saved with the same text.
    removed,    ///< it is no longer there.
  };
  std::size_t file;  ///< its number.
  What what;
  bool operator==(const FileChange&) const = default;
};

/// Notices saves of some files by any editor: in place, or by renaming another file to its name.
/// Linux tells where it can (inotify, on the folders); where no events come (WSL's drives, network
/// folders, links) looking again and again finds the change.
class SavedFiles {
 public:
  /// The time between looks where no events come.
  static constexpr int look_again_ms = 300;

  /// @param files what is there now counts as known.
  /// @param events false: only look, for tests.
  explicit SavedFiles(std::vector<std::filesystem::path> files, bool events = true);
  SavedFiles(const SavedFiles&) = delete;
  SavedFiles& operator=(const SavedFiles&) = delete;
  ~SavedFiles();

  /// @return a descriptor that is readable when look() has something to report; -1: events are not
  ///   available here.
  int event() const { return events_; }

  /// To be called when event() is readable, and every look_again_ms. A change without an event
  /// counts when it has lasted for two looks: then the writer has finished.
  std::vector<FileChange> look();

 private:
  /// Distinguishes one version of a file from another without reading it; all zero: no file.
  struct Stamp {
    ino_t number = 0;
    off_t bytes = 0;
    std::int64_t changed_ns = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct File {
    std::filesystem::path path;
    Stamp known, seen;  ///< of the text that was reported, and at the last look.
    std::string hash;   ///< of the text that was reported.
  };

  static Stamp stamp_of(const std::filesystem::path& path);
  std::vector<bool> take_events();
  void accept(std::size_t number, bool told, std::vector<FileChange>& changes);

  std::vector<File> files_;
  int events_ = -1;
  std::map<int, std::filesystem::path> folders_;  ///< by watch descriptor.
};

}  // namespace warpwise::tutor::watch
