#pragma once
#include <charconv>
#include <optional>
#include <string_view>

/// \file
/// A number that a user wrote.
namespace warpwise::base {

/// The number that is all of the text; none where there is more, less, or it is too large.
inline std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || last != end) return std::nullopt;
  return number;
}

}  // namespace warpwise::base
