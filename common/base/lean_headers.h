#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::base {

/// Flags with which nvcc reads a quarter less for a text of device code alone. It includes
/// `<cmath>` by itself, and since C++17 libstdc++ adds the special functions to that, with
/// iterators and
/// `<limits>`. All of their names are in `std`: a text that neither says that nor includes anything
/// means the same without. The flag is the guard of the header that brings them; other standard
/// libraries do not look at it.
/// @return no flags for a text that may use them.
std::vector<std::string> lean_header_flags(std::string_view source);

}  // namespace warpwise::base
