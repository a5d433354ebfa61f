#include "simulator/code/library_files.h"

#include <filesystem>
#include <regex>

namespace warpwise::code {
namespace {

/// Folders that are never a user's: of compilers, and of packages that hold a toolkit.
bool is_in_library_folder(const std::string& path) {
  static const std::regex folder(
      "^/usr/(local/)?include/|"
      "/lib/(gcc|clang)/.*/include/|"
      "(^|/)(targets/[^/]+/include|include/cccl|nvidia/(cu[0-9]+|cuda_[a-z]+)/include)/");
  return std::regex_search(path, folder);
}

/// The names that toolkits are installed under: cuda, cuda-13.0, and cuda/13.0 in the HPC SDK.
bool is_called_as_toolkit(const std::string& path) {
  static const std::regex folder("(^|/)cuda(-[0-9]+(\\.[0-9]+)*)?(/[0-9]+(\\.[0-9]+)*)?/include/");
  return std::regex_search(path, folder);
}

/// Whether a folder on the way to the file holds a toolkit's headers here.
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
