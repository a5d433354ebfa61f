#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// The size of a problem: "442368x128".
/// \ingroup lesson
namespace warpwise::lesson {

/// The most elements that an array of a size asked for may have: 4 GiB of floats.
inline constexpr std::size_t most_elements = std::size_t{1} << 30;

/// Up to three positive extents; what each means is the ladder's affair.
class Size {
 public:
  Size() = default;
  /// @pre one to three positive numbers.
  Size(std::initializer_list<int> extents);

  int operator[](std::size_t dimension) const { return extents_[dimension]; }
  std::size_t dimensions() const { return dimensions_; }
  /// All extents multiplied.
  std::size_t elements() const;
  /// Elements of the largest array: of three extents, a product's, the largest of its matrices.
  std::size_t largest_array() const;
  /// "442368x128".
  std::string text() const;

  /// Reads what text() writes.
  /// @param[out] problem why not, when nothing is returned.
  /// @param most elements of one array.
  static std::optional<Size> parse(std::string_view text, std::string& problem,
                                   std::size_t most = most_elements);

  /// The part of the cost of a problem for one of this size: a tenth for few elements. A loop
  /// without an end in a single thread is stopped the sooner.
  std::uint64_t share_of(std::uint64_t cost) const;

  bool operator==(const Size&) const = default;

 private:
  std::array<int, 3> extents_{};
  std::size_t dimensions_ = 0;
};

}  // namespace warpwise::lesson
