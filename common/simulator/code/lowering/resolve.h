#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace warpwise::code {

/// Gives the address of a global or constant variable of the module.
using Resolve = std::function<std::uint64_t(const std::string& name)>;

}  // namespace warpwise::code
