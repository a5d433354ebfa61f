#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

/// Rounding to a small floating-point format by looking through all of its numbers: slow, and
/// unlike the rows in every step.
namespace warpwise::isa {

__extension__ typedef __float128 Quad;

/// A number that may be too long for Quad: the sum of both parts, the second smaller than any
/// distance.
struct Exact {
  Quad value = 0;
  Quad rest = 0;
};

inline Exact exact_sum(Quad a, Quad b) {
  Quad sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

class ReferenceFormat {
 public:
  /// @param finite_encodings how many of the non-negative encodings 0, 1, ... are finite.
  ReferenceFormat(int exponent_bits, int fraction_bits, std::uint32_t finite_encodings,
                  bool has_infinity)
      : sign_(1u << (exponent_bits + fraction_bits)), has_infinity_(has_infinity) {
    int bias = (1 << (exponent_bits - 1)) - 1;
    for (std::uint32_t bits = 0; bits < finite_encodings; ++bits) {
      int exponent = static_cast<int>(bits >> fraction_bits);
      int fraction = static_cast<int>(bits & ((1u << fraction_bits) - 1));
      if (exponent > 0) fraction += 1 << fraction_bits;
      numbers_.push_back(std::ldexp(fraction, std::max(exponent, 1) - bias - fraction_bits));
    }
    // The next number would be here: a value that reaches half-way to it is too large.
    unit_beyond_ = 2 * numbers_.back() - numbers_[numbers_.size() - 2];
  }

  double value(std::uint32_t bits) const {
    double magnitude = numbers_.at(bits & (sign_ - 1));
    return bits & sign_ ? -magnitude : magnitude;
  }
  std::size_t count() const { return numbers_.size(); }

  /// @param mode "rn", "rna", "rz", "rm" or "rp".
  std::uint32_t round(Exact x, std::string_view mode, bool saturate) const {
    bool negative = std::signbit(static_cast<double>(x.value));
    if (negative) x = {-x.value, -x.rest};
    if (negative && mode == "rm")
      mode = "rp";
    else if (negative && mode == "rp")
      mode = "rm";
    return (negative ? sign_ : 0) | magnitude(x, mode, saturate);
  }

 private:
  std::uint32_t magnitude(Exact x, std::string_view mode, bool saturate) const {
    std::uint32_t last = static_cast<std::uint32_t>(numbers_.size()) - 1;
    auto above = std::upper_bound(numbers_.begin(), numbers_.end(), x,
                                  [](const Exact& e, double n) { return less(e, n); });
    std::uint32_t low = static_cast<std::uint32_t>(above - numbers_.begin()) - 1;
    Quad next = low == last ? unit_beyond_ : numbers_[low + 1];
    bool exact = x.value == numbers_[low] && x.rest == 0;
    bool up = false;
    if (mode == "rp") up = !exact;
    if (mode == "rn" || mode == "rna") {
      Quad below = x.value - numbers_[low], beyond = next - x.value;
      int side = below > beyond ? 1 : below < beyond ? -1 : x.rest > 0 ? 1 : x.rest < 0 ? -1 : 0;
      up = side > 0 || (side == 0 && (mode == "rna" || low % 2 == 1));
    }
    bool infinite = x.value > 1e300L;
    if ((low == last && up) || infinite)
      return has_infinity_ && !saturate && (up || infinite) ? last + 1 : last;
    return low + up;
  }
  static bool less(const Exact& e, Quad n) { return e.value < n || (e.value == n && e.rest < 0); }

  std::vector<double> numbers_;
  std::uint32_t sign_;
  bool has_infinity_;
  Quad unit_beyond_;
};

inline const ReferenceFormat& reference_half() {
  static const ReferenceFormat format(5, 10, 0x7c00, true);
  return format;
}
inline const ReferenceFormat& reference_bfloat() {
  static const ReferenceFormat format(8, 7, 0x7f80, true);
  return format;
}

}  // namespace warpwise::isa
