#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::base {

/// Has nvcc read a quarter less for a text of device code alone. It includes `<cmath>` by itself,
/// and since C++17 libstdc++ adds the special functions to that, with iterators and `<limits>`. All
/// of their names are in `std`: a text that neither says that nor includes anything means the same
/// without. The flag is the guard of the header that brings them; other standard libraries do not
/// look at it.
/// @param command nvcc and its flags; it gets one more where they make device code alone and the
///   text can use none of those names.
void leave_headers_out(std::vector<std::string>& command, std::string_view source);

}  // namespace warpwise::base
