#include "lesson/start/paths.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "lesson/device/stop.h"

namespace warpwise::lesson {
namespace fs = std::filesystem;

fs::path program_file() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

std::string program_name() { return program_file().filename().string(); }

std::optional<fs::path> find_upward(fs::path folder, const fs::path& relative) {
  std::error_code ignored;
  for (;;) {
    if (fs::exists(folder / relative, ignored)) return folder / relative;
    if (!folder.has_relative_path()) return std::nullopt;
    folder = folder.parent_path();
  }
}

std::optional<fs::path> simulator_library() {
  return find_upward(program_file().parent_path(), "simulator/libcudart.so.13");
}

fs::path repository() {
  const auto chapters = find_upward(program_file().parent_path(), "chapters");
  return chapters ? chapters->parent_path() : fs::path(WARPWISE_SOURCE_DIR);
}

namespace {

/// Without the folder it begins with, if it does.
std::string_view below(std::string_view path, const fs::path& folder) {
  const std::string start = folder.string() + "/";
  return path.substr(0, start.size()) == start ? path.substr(start.size()) : path;
}

}  // namespace

std::string repository_path(std::string_view path) {
  // A compiler may have been given "build/../chapters".
  const std::string normal = fs::path(path).lexically_normal().string();
  return std::string(below(below(normal, repository()), WARPWISE_SOURCE_DIR));
}

std::string shown_path(std::string_view path) {
  std::error_code ignored;
  return repository_path(below(path, fs::current_path(ignored)));
}

namespace {

/// Why a file of these facts is not read; empty: it is.
std::string unreadable(const struct stat& facts, std::size_t most) {
  if (S_ISDIR(facts.st_mode)) return std::strerror(EISDIR);
  if (!S_ISREG(facts.st_mode)) return "it is a device or a pipe, not a file";
  if (static_cast<std::size_t>(facts.st_size) <= most) return {};
  return fmt::format("it has {} bytes; at most {} are read", facts.st_size, most);
}

/// All bytes of an open file, or as many as were asked for.
std::string bytes_of(int descriptor, std::size_t most) {
  std::string text;
  char buffer[65536];
  for (ssize_t got; (got = ::read(descriptor, buffer, sizeof buffer)) != 0;) {
    if (got < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category());
    text.append(buffer, got > 0 ? static_cast<std::size_t>(got) : 0);
    if (text.size() > most) throw std::system_error(EFBIG, std::generic_category());
  }
  return text;
}

}  // namespace

std::string read_file(const fs::path& file, std::size_t most) {
  const auto refuse = [&](const std::string& why) {
    throw Stop(bad_environment, fmt::format("cannot read {}: {}", file.string(), why));
  };
  // Opening a pipe would wait for its writer.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) refuse(std::strerror(errno));
  struct stat facts {};
  ::fstat(descriptor, &facts);
  std::string text, why = unreadable(facts, most);
  try {
    if (why.empty()) text = bytes_of(descriptor, most);
  } catch (const std::system_error& error) {
    why = error.code().message();
  }
  ::close(descriptor);
  if (!why.empty()) refuse(why);
  return text;
}

void check_writable(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const bool replace = !fs::exists(file) || fs::is_regular_file(file);
  if (!fs::is_directory(file) && ::access((replace ? folder : file).c_str(), W_OK) == 0) return;
  throw Stop(bad_environment, fmt::format("cannot write {}: {}", file.string(),
                                          std::strerror(fs::is_directory(file) ? EISDIR : errno)));
}

void write_file(const fs::path& file, std::string_view text) {
  std::error_code ignored;
  // A pipe or a terminal cannot be replaced by renaming.
  const bool replace = !fs::exists(file, ignored) || fs::is_regular_file(file, ignored);
  const fs::path target =
      replace ? fs::path(fmt::format("{}.{}.part", file.string(), ::getpid())) : file;
  errno = 0;
  std::ofstream stream(target, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  if (stream && replace) {
    fs::rename(target, file, ignored);
    if (!ignored) return;
    errno = ignored.value();
    stream.setstate(std::ios::failbit);
  }
  if (stream) return;
  const int reason = errno;
  if (replace) fs::remove(target, ignored);
  throw Stop(bad_environment, fmt::format("cannot write {}: {}", file.string(),
                                          std::strerror(reason != 0 ? reason : EIO)));
}

}  // namespace warpwise::lesson
