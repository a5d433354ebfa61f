#include "simulator/code/values/library_files.h"

#include <regex.h>

#include <cstdlib>
#include <filesystem>

namespace warpwise::code {
namespace {

/// A regular expression of the C library: that of C++ is templates, which take seconds to compile.
class Pattern {
 public:
  explicit Pattern(const char* expression) {
    if (regcomp(&compiled_, expression, REG_EXTENDED | REG_NOSUB) != 0) std::abort();
  }
  ~Pattern() { regfree(&compiled_); }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  bool is_in(const std::string& text) const {
    return regexec(&compiled_, text.c_str(), 0, nullptr, 0) == 0;
  }

 private:
  regex_t compiled_;
};

/// Folders that are never a user's: of compilers, and of packages that hold a toolkit.
bool is_in_library_folder(const std::string& path) {
  static const Pattern folder(
      "^/usr/(local/)?include/|"
      "/lib/(gcc|clang)/.*/include/|"
      "(^|/)(targets/[^/]+/include|include/cccl|nvidia/(cu[0-9]+|cuda_[a-z]+)/include)/");
  return folder.is_in(path);
}

/// The names that toolkits are installed under: cuda, cuda-13.0, and cuda/13.0 in the HPC SDK.
bool is_called_as_toolkit(const std::string& path) {
  static const Pattern folder("(^|/)cuda(-[0-9]+(\\.[0-9]+)*)?(/[0-9]+(\\.[0-9]+)*)?/include/");
  return folder.is_in(path);
}

/// Whether a folder of the file's path holds a toolkit's headers here.
bool is_in_toolkit(const std::filesystem::path& path) {
  std::error_code ignored;
  for (auto folder = path.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (folder.filename() == "include" &&
        std::filesystem::exists(folder / "cuda_runtime_api.h", ignored))
      return true;
  return false;
}

}  // namespace

bool is_library_file(const std::string& path) {
  const auto normal = std::filesystem::path(path).lexically_normal();
  if (is_in_library_folder(normal.string())) return true;
  std::error_code ignored;
  return std::filesystem::exists(normal, ignored) ? is_in_toolkit(normal)
                                                  : is_called_as_toolkit(normal.string());
}

}  // namespace warpwise::code
