#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::base {

/// Has nvcc read less for a text that needs no more of the C++ library than what C has. nvcc
/// includes `<cmath>` by itself, and since C++17 libstdc++ adds the special functions to that, with
/// iterators, concepts and `<limits>`: a quarter of what is read for a kernel, half for a program.
/// All of their names are in `std`: a text that says of that no more than `std::printf` and the
/// like, and includes no more than their headers, means the same without. The flag is the guard of
/// the header that brings them; other standard libraries do not look at it. An exercise in plain
/// C++ is spared `<algorithm>`, too: check/plain_cpp.h asks for the flag.
/// @param command nvcc and its flags; it gets one more where the text can use none of those names.
void leave_headers_out(std::vector<std::string>& command, std::string_view source);

}  // namespace warpwise::base
