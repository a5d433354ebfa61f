#include "tutor/system/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "tutor/system/failure.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

// @param name what the file is called in messages.
void write_directly(const fs::path& path, std::string_view text, const fs::path& name) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) cannot("written", name, errno == 0 ? EIO : errno);
}

// Whether a file can be put in this one's place by renaming: not where it is a pipe or a device.
bool replaceable(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return !fs::exists(status) || fs::is_regular_file(status);
}

// Why a file of these facts is not read; empty: it is.
std::string unreadable(const struct stat& facts, std::size_t most) {
  if (S_ISDIR(facts.st_mode)) return std::strerror(EISDIR);
  if (!S_ISREG(facts.st_mode)) return "it is a device or a pipe, not a file";
  if (static_cast<std::size_t>(facts.st_size) <= most) return {};
  return fmt::format("it has {} bytes; at most {} are read", facts.st_size, most);
}

// @return why not; empty: all of it was read.
std::string read_all(int file, std::size_t most, std::string& text) {
  char buffer[65536];
  for (ssize_t got; (got = ::read(file, buffer, sizeof buffer)) != 0;) {
    if (got < 0 && errno != EINTR) return std::strerror(errno);
    text.append(buffer, got > 0 ? static_cast<std::size_t>(got) : 0);
    // It grows while it is read, or has no length: /proc.
    if (text.size() > most) return fmt::format("it has more than {} bytes", most);
  }
  return {};
}

}  // namespace

std::string read_file(const fs::path& path, std::size_t most) {
  // Opening a pipe would wait for its writer.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) cannot("read", path, errno);
  struct stat facts {};
  ::fstat(file, &facts);
  std::string text, why = unreadable(facts, most);
  if (why.empty()) why = read_all(file, most, text);
  ::close(file);
  if (!why.empty()) cannot("read", path, why);
  return text;
}

std::string read_text(const fs::path& path) { return read_file(path, longest_text); }

bool has_text(const fs::path& path, std::string_view text) {
  try {
    return read_file(path, text.size()) == text;
  } catch (const Failure&) {
    return false;
  }
}

void write_atomically(const fs::path& path, std::string_view text) {
  if (!replaceable(path)) {
    write_directly(path, text, path);
    return;
  }
  PendingFile pending(path);
  write_directly(pending.path(), text, path);
  pending.commit();
}

void write_if_changed(const fs::path& path, const std::string& text) {
  if (has_text(path, text)) return;
  write_atomically(path, text);
}

void require_writable(const fs::path& path) {
  if (!replaceable(path)) return;
  const PendingFile pending(path);
  write_directly(pending.path(), "", path);
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) cannot("created", path, error.value());
}

PendingFile::PendingFile(fs::path target) : target_(std::move(target)) {
  static std::atomic<unsigned> counter{0};
  path_ = target_;
  path_ += fmt::format(".{}_{}.part", getpid(), counter++);
}

PendingFile::~PendingFile() {
  std::error_code ignored;
  fs::remove(path_, ignored);
}

void PendingFile::commit() {
  std::error_code error;
  fs::rename(path_, target_, error);
  if (error) cannot("written", target_, error.value());
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  if (error) cannot("used", "the temporary folder", error.value());
  std::string name = (base / "learn_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) cannot("created", name, errno);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string shown(const fs::path& path) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error || path.is_relative() || !here.has_relative_path()) return path.string();
  const std::string relative = path.lexically_relative(here).string();
  return relative.empty() || relative.starts_with("../") ? path.string() : relative;
}

void cannot(const char* what, const fs::path& path, int reason) {
  cannot(what, path, std::string(std::strerror(reason)));
}

void cannot(const char* what, const fs::path& path, const std::string& reason) {
  throw Failure(status_environment, fmt::format("{} cannot be {}: {}", shown(path), what, reason));
}

}  // namespace warpwise::tutor
