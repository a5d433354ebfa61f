#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The answer of nvcc about one source.
struct Compiled {
  bool ok = false;
  std::string error;  ///< the first error with its source line, paths as people write them.
  std::string next;   ///< what to do about it; may be empty.
};

/// The environment of nvcc: its front end for host code takes a quarter of its time where malloc
/// asks for pages of 2 MB. Others than glibc 2.35 and later do not look at it.
inline const std::vector<std::pair<std::string, std::string>> compiler_environment = {
    {"GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"}};

/// Compiles an exercise's source to the image that its check judges, replacing `image` at once;
/// where it fails, an older image is removed, so that nothing judges a text that is no more.
/// @param exercise whose kind says how: a fat binary, or a shared object.
/// @param more further flags, such as warnings.
/// @throws Failure (status 3) when nvcc cannot be started or the image cannot be written.
Compiled compile_image(const Context& context, const Exercise& exercise,
                       const std::filesystem::path& source, const std::filesystem::path& image,
                       const std::vector<std::string>& more = {});

/// As compile_image, but not when the image is newer than its source, the compiler and its flags.
Compiled refresh_image(const Context& context, const Exercise& exercise,
                       const std::filesystem::path& source, const std::filesystem::path& image);

}  // namespace warpwise::tutor
