#include "lesson/paths.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "lesson/error.h"

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
  // A compiler may have been told "build/../chapters".
  const std::string normal = fs::path(path).lexically_normal().string();
  return std::string(below(below(normal, repository()), WARPWISE_SOURCE_DIR));
}

std::string shown_path(std::string_view path) {
  std::error_code ignored;
  return repository_path(below(path, fs::current_path(ignored)));
}

std::string read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  if (fs::is_directory(file) || !stream || !(text << stream.rdbuf() || stream.peek() == EOF)) {
    throw Stop(bad_environment, fmt::format("cannot read {}: {}", file.string(),
                                            errno != 0 ? std::strerror(errno) : "not a file"));
  }
  return text.str();
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
