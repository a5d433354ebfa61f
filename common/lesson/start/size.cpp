#include "lesson/start/size.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace warpwise::lesson {

Size::Size(std::initializer_list<int> extents) : dimensions_(extents.size()) {
  std::size_t dimension = 0;
  for (int extent : extents) extents_.at(dimension++) = extent;
}

std::size_t Size::elements() const {
  std::size_t product = dimensions_ == 0 ? 0 : 1;
  for (std::size_t i = 0; i < dimensions_; ++i) product *= static_cast<std::size_t>(extents_[i]);
  return product;
}

std::size_t Size::largest_array() const {
  if (dimensions_ < 3) return elements();
  const auto area = [this](std::size_t one, std::size_t other) {
    return static_cast<std::size_t>(extents_[one]) * static_cast<std::size_t>(extents_[other]);
  };
  return std::max({area(0, 1), area(0, 2), area(1, 2)});
}

std::uint64_t Size::share_of(std::uint64_t cost) const {
  constexpr std::size_t few = 256;
  return elements() < few ? cost / 10 : cost;
}

std::string Size::text() const {
  std::string text;
  for (std::size_t i = 0; i < dimensions_; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : "x", extents_[i]);
  }
  return text;
}

std::optional<Size> Size::parse(std::string_view text, std::string& problem, std::size_t most) {
  Size size;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    if (size.dimensions_ == size.extents_.size()) {
      problem = "more than three numbers";
      return std::nullopt;
    }
    int& extent = size.extents_[size.dimensions_++];
    const auto [behind, error] = std::from_chars(at, end, extent);
    if (error == std::errc::result_out_of_range) {
      problem = "a number is too large";
      return std::nullopt;
    }
    if (error != std::errc{} || (behind != end && *behind != 'x')) {
      problem = "numbers joined by x are wanted, as in 1536x128";
      return std::nullopt;
    }
    if (extent < 1) {
      problem = "every number must be at least 1";
      return std::nullopt;
    }
    if (size.largest_array() > most) {
      problem = fmt::format("more than {} elements of one array", most);
      return std::nullopt;
    }
    if (behind == end) return size;
    at = behind + 1;
  }
}

}  // namespace warpwise::lesson
