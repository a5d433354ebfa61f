#pragma once
#include <filesystem>
#include <string_view>

#include "tutor/system/context.h"

namespace warpwise::tutor {

/// @return where texts of the learner are kept that made room for others: .kept at the top of the
///   checkout; exercises/CH is CH there, other folders have their names.
std::filesystem::path kept_folder(const Context& context);

/// Moves a file to another name, or into another file system, and never onto something that is
/// there.
/// @return false when the target exists; nothing has happened then.
/// @throws Failure (status 3) when it cannot be moved; the file is then where it was.
bool move_to_free(const std::filesystem::path& from, const std::filesystem::path& to);

/// Moves a file to where the learner's texts are kept.
/// @param path where it belongs in the course, such as exercises/CH/NAME.cu.
/// @return where it is now: .kept/CH/NAME.1.cu, or the next number that is free.
/// @throws Failure (status 3); the file is then where it was.
std::filesystem::path keep_as(const Context& context, const std::filesystem::path& file,
                              const std::filesystem::path& path);

/// Replaces a learner's file by a text and moves the learner's own text aside as it is. Whatever
/// goes wrong (a full disk, a folder that cannot be written), the learner's text is where it was or
/// at the place that is returned or named.
/// @param file below exercises/.
/// @return where the old text is now: .kept/CH/NAME.1.cu or the next free number; empty when there
///   was nothing to keep: no file, or this text to the letter.
/// @throws Failure (status 3).
std::filesystem::path replace_and_keep(const Context& context, const std::filesystem::path& file,
                                       std::string_view text);

}  // namespace warpwise::tutor
