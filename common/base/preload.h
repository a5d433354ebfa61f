#pragma once
#include <filesystem>
#include <string>

/// \file
/// A library for LD_PRELOAD, wherever the course's folder is.
namespace warpwise::base {

/// A path of the library that LD_PRELOAD can hold. `ld.so` splits that list at blanks and colons,
/// and replaces words that begin with `$`: a library whose path has one of those is reached through
/// a link to its folder. The links are in a folder of this user's alone, below XDG_RUNTIME_DIR or
/// /tmp.
/// @param library an absolute path; the file need not exist.
/// @throws std::runtime_error with a sentence that names what to do.
std::filesystem::path preloadable(const std::filesystem::path& library);

/// The value of LD_PRELOAD that loads the library first, and then what the variable names now.
/// @throws std::runtime_error as preloadable().
std::string preload_list(const std::filesystem::path& library);

}  // namespace warpwise::base
