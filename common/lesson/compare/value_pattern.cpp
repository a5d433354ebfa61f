#include "lesson/compare/value_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>

namespace warpwise::lesson {
namespace {

/// The word with which the simulator fills memory of the device.
constexpr std::uint32_t fresh_memory = 0xCDCDCDCDU;

/// Fewer do not prove a rule.
constexpr std::size_t fewest = 3;

std::string digits_of(double value) { return fmt::format("{:.7g}", value); }

class Explained {
 public:
  explicit Explained(const Outcome& outcome) : outcome_(outcome) {
    for (std::size_t i = 0; i < outcome.judged.size(); ++i) {
      if (outcome.judged[i]) wrong_.push_back(i);
    }
  }

  Pattern pattern() const {
    if (wrong_.empty()) return {};
    if (auto found = not_numbers()) return *found;
    if (auto found = finite()) return *found;
    if (auto found = sign()) return *found;
    if (wrong_.size() < fewest) return {};
    for (const auto rule :
         {&Explained::same, &Explained::factor, &Explained::offset, &Explained::close,
          &Explained::moved, &Explained::one_a_row, &Explained::elsewhere}) {
      if (auto found = (this->*rule)()) return *found;
    }
    return {};
  }

 private:
  double expected(std::size_t i) const { return outcome_.expected[i]; }
  double got(std::size_t i) const { return outcome_.got[i]; }

  bool all(const std::function<bool(std::size_t)>& holds) const {
    return std::all_of(wrong_.begin(), wrong_.end(), holds);
  }

  std::optional<Pattern> not_numbers() const {
    const auto count = std::count_if(wrong_.begin(), wrong_.end(),
                                     [&](std::size_t i) { return std::isnan(got(i)); });
    if (count == 0) return std::nullopt;
    const bool every = static_cast<std::size_t>(count) == wrong_.size();
    return Pattern{every ? "They are NaN." : fmt::format("{} of them are NaN.", count),
                   "Where does 0/0, inf - inf, or a root below 0 come from?"};
  }

  std::optional<Pattern> finite() const {
    if (!all([&](std::size_t i) { return std::isinf(expected(i)) && std::isfinite(got(i)); })) {
      return std::nullopt;
    }
    return Pattern{"They should be infinite, and finite numbers are stored.",
                   "Which constant stands for infinity? INFINITY is one, FLT_MAX is a number."};
  }

  std::optional<Pattern> same() const {
    const double value = outcome_.got[wrong_[0]];
    if (!all([&](std::size_t i) { return outcome_.got[i] == value; })) return std::nullopt;
    // Where the right values are also all the same, another rule says more.
    if (all([&](std::size_t i) { return expected(i) == expected(wrong_[0]); }) && value != 0) {
      return std::nullopt;
    }
    if (std::bit_cast<std::uint32_t>(static_cast<float>(value)) == fresh_memory) {
      return Pattern{"No kernel wrote them: they have what fresh device memory holds here.",
                     "Does the launch have a thread for each element?"};
    }
    return Pattern{fmt::format("Each of them is {}.", digits_of(value)),
                   value == 0 && !outcome_.ordered
                       ? "Is it a quotient of whole numbers? An int divided by a larger one is 0."
                       : "Which value is it that gets stored, and from where?"};
  }

  std::optional<Pattern> sign() const {
    if (!all([&](std::size_t i) {
          return expected(i) != 0 && is_right(-expected(i), outcome_.got[i], outcome_.tolerance);
        })) {
      return std::nullopt;
    }
    return Pattern{"Only their sign is wrong.", "What is subtracted the wrong way round?"};
  }

  std::optional<Pattern> factor() const {
    double low = INFINITY, high = -INFINITY;
    for (const std::size_t i : wrong_) {
      if (expected(i) == 0 || std::isinf(expected(i))) return std::nullopt;
      low = std::min(low, got(i) / expected(i));
      high = std::max(high, got(i) / expected(i));
    }
    if (low <= 0 || high - low > 1e-4 * high) return std::nullopt;
    const double middle = (low + high) / 2, inverse = 1 / middle;
    if (std::abs(middle - 1) < 1e-3) return std::nullopt;
    const bool part = std::abs(inverse - std::round(inverse)) < 1e-3 * inverse && inverse > 1.5;
    const std::string factor =
        part ? fmt::format("1/{:.0f}", inverse) : fmt::format("{:.4g}", middle);
    return Pattern{fmt::format("Each of them is {} times what it should be.", factor),
                   "Which factor is missing, which terms count twice or not at all?"};
  }

  std::optional<Pattern> offset() const {
    const auto off_by = [this](std::size_t i) { return got(i) - expected(i); };
    // Where the value itself is smallest, rounding hides the least of the difference.
    const std::size_t finest =
        *std::min_element(wrong_.begin(), wrong_.end(), [this](std::size_t one, std::size_t other) {
          return std::abs(expected(one)) < std::abs(expected(other));
        });
    const double offset = off_by(finest);
    if (!std::isfinite(offset) || offset == 0 || !all([&](std::size_t i) {
          const double rounding = 1e-6 * (std::abs(expected(i)) + std::abs(offset));
          return std::isfinite(rounding) && std::abs(off_by(i) - offset) <= rounding;
        })) {
      return std::nullopt;
    }
    return Pattern{fmt::format("Each of them is too {} by {:.5g}.", offset > 0 ? "large" : "small",
                               std::abs(offset)),
                   "What is added once too often, or not at all?"};
  }

  std::optional<Pattern> close() const {
    double worst = 0;
    for (const std::size_t i : wrong_) {
      if (std::isinf(expected(i))) return std::nullopt;
      worst = std::max(worst, std::abs(got(i) - expected(i)) / std::abs(expected(i)));
    }
    if (!(worst < 0.01)) return std::nullopt;
    return Pattern{fmt::format("They are close: the worst is off by {:.2g} of its value.", worst),
                   "Where is precision lost: a narrow type, a sum of many small terms?"};
  }

  /// All of them have the right value of the place that `from` names; what has none does not count.
  bool moved_from(const std::function<std::optional<std::size_t>(std::size_t)>& from) const {
    std::size_t count = 0;
    for (const std::size_t i : wrong_) {
      const std::optional<std::size_t> source = from(i);
      if (!source) continue;
      if (!is_right(expected(*source), outcome_.got[i], outcome_.tolerance)) return false;
      ++count;
    }
    return count >= fewest && 2 * count >= wrong_.size();
  }

  std::optional<Pattern> shifted(std::ptrdiff_t by, const std::string& says) const {
    const auto size = static_cast<std::ptrdiff_t>(outcome_.expected.size());
    const auto from = [&](std::size_t i) -> std::optional<std::size_t> {
      const std::ptrdiff_t source = static_cast<std::ptrdiff_t>(i) + by;
      if (source < 0 || source >= size) return std::nullopt;
      return static_cast<std::size_t>(source);
    };
    if (!moved_from(from)) return std::nullopt;
    return Pattern{says, "Which index is off by one?"};
  }

  std::optional<Pattern> moved() const {
    if (!outcome_.ordered || !varied()) return std::nullopt;
    if (auto next = shifted(1, "Each has the value of the element after it.")) return next;
    if (auto before = shifted(-1, "Each has the value of the element before it.")) return before;
    const auto row = static_cast<std::ptrdiff_t>(outcome_.row_length);
    if (row > 1) {
      if (auto below = shifted(row, "Each has the value of the row below.")) return below;
      if (auto above = shifted(-row, "Each has the value of the row above.")) return above;
    }
    const std::size_t size = outcome_.expected.size();
    if (moved_from([&](std::size_t i) { return size - 1 - i; })) {
      return Pattern{"The values are in reverse order.", "From which end does the index count?"};
    }
    if (moved_from([&](std::size_t i) { return i ^ 1; }) && size % 2 == 0) {
      return Pattern{"Neighbours are exchanged, two by two.", "Which of a pair comes first?"};
    }
    if (row > 1 && size % outcome_.row_length == 0 && size / outcome_.row_length > 1) {
      const std::size_t columns = outcome_.row_length, rows = size / columns;
      if (moved_from([&](std::size_t i) { return i % rows * columns + i / rows; })) {
        return Pattern{"Rows and columns are exchanged.",
                       "Which index is multiplied by the length of a row?"};
      }
    }
    return std::nullopt;
  }

  std::optional<Pattern> one_a_row() const {
    const std::size_t columns = outcome_.row_length;
    if (columns < fewest) return std::nullopt;
    std::size_t pairs = 0;
    for (std::size_t k = 1; k < wrong_.size(); ++k) {
      if (wrong_[k] / columns != wrong_[k - 1] / columns) continue;
      if (outcome_.got[wrong_[k]] != outcome_.got[wrong_[k - 1]]) return std::nullopt;
      ++pairs;
    }
    if (pairs < fewest) return std::nullopt;
    return Pattern{"Within a row they all have one value.",
                   "Does the column play a part in what is stored?"};
  }

  /// The right values in their order, sorted when they are first asked for.
  const std::vector<double>& right_values() const {
    if (right_.empty()) {
      right_.assign(outcome_.expected.begin(), outcome_.expected.end());
      std::sort(right_.begin(), right_.end());
    }
    return right_;
  }

  /// Whether the right values differ between places.
  bool varied() const {
    const std::vector<double>& right = right_values();
    std::size_t distinct = right.empty() ? 0 : 1;
    for (std::size_t i = 1; i < right.size(); ++i) distinct += right[i] != right[i - 1] ? 1 : 0;
    return 2 * distinct > right.size();
  }

  std::optional<Pattern> elsewhere() const {
    if (!outcome_.ordered || !varied()) return std::nullopt;
    const std::vector<double>& right = right_values();
    const auto is_anywhere = [&](std::size_t i) {
      const auto next = std::lower_bound(right.begin(), right.end(), got(i));
      if (next != right.end() && is_right(*next, outcome_.got[i], outcome_.tolerance)) return true;
      return next != right.begin() && is_right(*(next - 1), outcome_.got[i], outcome_.tolerance);
    };
    if (!all(is_anywhere)) return std::nullopt;
    return Pattern{"Each has a value that is right at another place.",
                   "Which index is wrong, where it loads or where it stores?"};
  }

  const Outcome& outcome_;
  std::vector<std::size_t> wrong_;
  mutable std::vector<double> right_;
};

}  // namespace

bool is_right(double expected, double got, Tolerance tolerance) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return expected == got;
  if (std::isinf(got))
    return std::isinf(static_cast<float>(expected)) && (expected > 0) == (got > 0);
  const double allowed = tolerance.absolute + tolerance.relative * std::abs(expected);
  return std::abs(got - expected) <= allowed;
}

namespace {

/// The first row that has something wrong, by itself: of sums over a row each has its own factor.
Pattern pattern_in_first_row(const Outcome& outcome) {
  const std::size_t columns = outcome.row_length;
  const auto first = std::find(outcome.judged.begin(), outcome.judged.end(), true);
  if (columns < fewest || first == outcome.judged.end()) return {};
  const auto row = static_cast<std::size_t>(first - outcome.judged.begin()) / columns;
  const std::size_t begin = row * columns;
  if (outcome.judged.size() == columns || begin + columns > outcome.judged.size()) return {};
  const Marks judged(outcome.judged.begin() + static_cast<std::ptrdiff_t>(begin),
                     outcome.judged.begin() + static_cast<std::ptrdiff_t>(begin + columns));
  Pattern pattern = Explained({.expected = outcome.expected.subspan(begin, columns),
                               .got = outcome.got.subspan(begin, columns),
                               .judged = judged,
                               .tolerance = outcome.tolerance,
                               .row_length = 0,
                               .ordered = outcome.ordered})
                        .pattern();
  if (!pattern.says.empty()) pattern.says = fmt::format("In row {}: {}", row, pattern.says);
  return pattern;
}

}  // namespace

Pattern slip_pattern(const Outcome& outcome, std::span<const Slip> slips) {
  const std::size_t size = outcome.judged.size();
  const auto first = static_cast<std::size_t>(
      std::find(outcome.judged.begin(), outcome.judged.end(), true) - outcome.judged.begin());
  const std::size_t columns = outcome.row_length > 0 ? outcome.row_length : size;
  if (first == size) return {};
  const std::size_t begin = first / columns * columns, end = std::min(begin + columns, size);
  const auto count = static_cast<std::size_t>(
      std::count(outcome.judged.begin() + static_cast<std::ptrdiff_t>(begin),
                 outcome.judged.begin() + static_cast<std::ptrdiff_t>(end), true));
  if (count < std::min(fewest, end - begin)) return {};
  for (const Slip& slip : slips) {
    bool holds = true;
    for (std::size_t i = first; i < end && holds; ++i)
      holds = !outcome.judged[i] || is_right(slip.value(i), outcome.got[i], outcome.tolerance);
    if (!holds) continue;
    const bool has_rows = outcome.row_length > 0 && size > columns;
    return {has_rows ? fmt::format("In row {}: {}", begin / columns, slip.says) : slip.says,
            slip.asks};
  }
  return {};
}

Pattern value_pattern(const Outcome& outcome) {
  Pattern pattern = Explained(outcome).pattern();
  return pattern.says.empty() ? pattern_in_first_row(outcome) : pattern;
}

}  // namespace warpwise::lesson
