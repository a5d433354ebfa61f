#include "tutor/live/saved_files.h"

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <utility>

#include "tutor/course/progress.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor::watch {

namespace fs = std::filesystem;

namespace {

// Empty where it cannot be read: its owner will hear of that when it is judged.
std::string hash_of(const fs::path& path) {
  try {
    return text_hash(read_text(path));
  } catch (const Failure&) {
    return {};
  }
}

}  // namespace

SavedFiles::SavedFiles(std::vector<fs::path> files, bool events) {
  if (events) events_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  for (fs::path& path : files) {
    if (events_ >= 0) {
      const fs::path folder = path.parent_path();
      const int watch = inotify_add_watch(events_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO);
      if (watch >= 0) folders_[watch] = folder;
    }
    // The stamp first: a save between the two is then found by the next look.
    const Stamp stamp = stamp_of(path);
    std::string hash = hash_of(path);
    files_.push_back({std::move(path), stamp, stamp, std::move(hash)});
  }
}

SavedFiles::~SavedFiles() {
  if (events_ >= 0) close(events_);
}

SavedFiles::Stamp SavedFiles::stamp_of(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  constexpr std::int64_t second = 1'000'000'000;
  return {status.st_ino, status.st_size, status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec};
}

// Which files are named by an event.
std::vector<bool> SavedFiles::take_events() {
  std::vector<bool> named(files_.size());
  alignas(inotify_event) std::array<char, 16384> buffer;
  for (ssize_t got; events_ >= 0 && (got = read(events_, buffer.data(), buffer.size())) > 0;) {
    for (ssize_t at = 0; at < got;) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const char* name = event.len > 0 ? buffer.data() + at + sizeof event : "";
      const auto folder = folders_.find(event.wd);
      for (std::size_t i = 0; folder != folders_.end() && i < files_.size(); ++i) {
        if (files_[i].path == folder->second / name) named[i] = true;
      }
      at += static_cast<ssize_t>(sizeof event + event.len);
    }
  }
  return named;
}

void SavedFiles::accept(std::size_t number, bool told, std::vector<FileChange>& changes) {
  File& file = files_[number];
  file.known = file.seen;
  if (file.seen == Stamp{}) {
    file.hash.clear();
    changes.push_back({number, FileChange::What::removed});
    return;
  }
  const std::string hash = hash_of(file.path);
  if (hash != file.hash) {
    changes.push_back({number, FileChange::What::changed});
  } else if (told) {
    changes.push_back({number, FileChange::What::unchanged});
  }
  file.hash = hash;
}

std::vector<FileChange> SavedFiles::look() {
  const std::vector<bool> named = take_events();
  std::vector<FileChange> changes;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    File& file = files_[i];
    const Stamp before = std::exchange(file.seen, stamp_of(file.path));
    // Between two steps of a save by renaming the file is missing.
    const bool there = file.seen != Stamp{};
    if (named[i] && there) {
      accept(i, true, changes);
    } else if (file.seen != file.known && file.seen == before) {
      accept(i, false, changes);
    }
  }
  return changes;
}

}  // namespace warpwise::tutor::watch
