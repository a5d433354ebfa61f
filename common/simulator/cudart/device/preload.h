#pragma once
#include <string>
#include <string_view>

namespace warpwise::cudart {

/// An LD_PRELOAD list (separated by blanks or colons) without the entries that name the same file.
std::string without_entry(std::string_view list, std::string_view file);

}  // namespace warpwise::cudart
