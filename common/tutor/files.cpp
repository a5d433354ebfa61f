#include "tutor/files.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "tutor/failure.h"

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

}  // namespace

std::string read_file(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) cannot("read", path, EISDIR);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) cannot("read", path, errno == 0 ? EIO : errno);
  return {std::istreambuf_iterator<char>(file), {}};
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
  std::error_code ignored;
  if (fs::exists(path, ignored) && read_file(path) == text) return;
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
  throw Failure(status_environment,
                fmt::format("{} cannot be {}: {}", shown(path), what, std::strerror(reason)));
}

}  // namespace warpwise::tutor
