#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Numbers and lines as text, without streams or a formatting library (the folder also runs in a
/// browser).
/// \ingroup occupancy
namespace warpwise::occupancy {

/// Rounded to that many decimals, trailing zeros dropped: decimal(62.50, 1) is "62.5".
/// @param value at most 10^12 in magnitude. @param digits 0 to 6.
std::string decimal(double value, int digits);

/// "62.5 %", one decimal at most.
std::string percent(double fraction);

/// "1 block", "2 blocks".
std::string count_of(std::int64_t number, std::string_view noun);

/// "a", "a and b", "a, b and c".
std::string join(const std::vector<std::string>& words);

/// Breaks text at blanks, where it can after a colon or semicolon, so that no line is wider than
/// that (except by a word that is wider alone). The first line begins with `head`, the others with
/// as many blanks.
std::vector<std::string> wrap(std::string_view head, std::string_view text, std::size_t width);

}  // namespace warpwise::occupancy
