#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The kind of an exercise, as its check says it; "exercise" where the check is missing.
std::string kind_of(const Exercise& exercise);

/// Where the build writes down how nvcc makes an image of that kind: one flag per line.
std::filesystem::path image_flags_file(const Context& context, const std::string& kind);

/// @return how nvcc makes an image of that kind, as the build wrote it down.
/// @throws Failure (status 3) when the build folder has no such file.
std::vector<std::string> image_flags(const Context& context, const std::string& kind);

/// Whether a function outside of all braces is `inline` or `constexpr`. A compiler leaves one out
/// that nothing in the file calls, and a check that asks for it by name would not find it.
bool has_inline_function(std::string_view source);

}  // namespace warpwise::tutor
