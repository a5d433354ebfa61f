#include "lesson/compare.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "lesson/pattern.h"

namespace warpwise::lesson {
namespace {

constexpr std::size_t shown_elements = 4;
constexpr std::uint32_t poison_bits = 0x01010101U * poison_byte;

bool is_right(double expected, float got, Tolerance tolerance) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return expected == static_cast<double>(got);
  if (std::isinf(got))
    return std::isinf(static_cast<float>(expected)) && (expected > 0) == (got > 0);
  const double allowed = tolerance.absolute + tolerance.relative * std::abs(expected);
  return std::abs(static_cast<double>(got) - expected) <= allowed;
}

std::string pattern_in(const std::vector<bool>& flags, std::size_t set, std::size_t row_length) {
  if (set == 0 || flags.size() < 2) return "";
  const bool matrix = row_length > 1 && flags.size() % row_length == 0;
  return matrix ? matrix_pattern_of(flags, row_length) : pattern_of(flags);
}

std::string number(double value) {
  return std::isnan(value) ? "NaN" : fmt::format("{:.7g}", value);
}

std::string place(std::size_t index, std::size_t row_length) {
  if (row_length == 0) return fmt::format("element {}", index);
  return fmt::format("row {}, column {}", index / row_length, index % row_length);
}

}  // namespace

Comparison compare(std::span<const double> expected, std::span<const float> got,
                   Tolerance tolerance, std::size_t row_length) {
  Comparison result;
  result.total = std::max(expected.size(), got.size());
  result.row_length = row_length;
  std::vector<bool> wrong(result.total);
  std::vector<bool> unset(result.total);
  for (std::size_t i = 0; i < result.total; ++i) {
    const bool missing = i >= expected.size() || i >= got.size();
    const bool unwritten = i >= got.size() || std::bit_cast<std::uint32_t>(got[i]) == poison_bits;
    if (!missing && !unwritten && is_right(expected[i], got[i], tolerance)) continue;
    wrong[i] = true;
    unset[i] = unwritten;
    ++result.wrong;
    if (unwritten) ++result.unwritten;
    if (result.first.size() >= shown_elements) continue;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    result.first.push_back({i, i < expected.size() ? expected[i] : none,
                            i < got.size() ? static_cast<double>(got[i]) : none, unwritten});
  }
  result.pattern = pattern_in(wrong, result.wrong, row_length);
  if (result.unwritten < result.wrong) {
    result.unwritten_pattern = pattern_in(unset, result.unwritten, row_length);
  }
  return result;
}

std::string Comparison::text() const {
  if (right()) return fmt::format("all {} elements are right", total);
  std::string text = fmt::format("{} of {} elements are wrong", wrong, total);
  if (unwritten == wrong) {
    text += ": they were never written";
  } else if (unwritten > 0) {
    text += fmt::format(", {} of them never written", unwritten);
  }
  if (!pattern.empty()) text += fmt::format("\n  wrong: {}", pattern);
  if (!unwritten_pattern.empty()) {
    text += fmt::format("\n  never written: {}", unwritten_pattern);
  }
  for (const WrongElement& element : first) {
    text +=
        fmt::format("\n  {}: expected {}, got {}", place(element.index, row_length),
                    number(element.expected), element.unwritten ? "nothing" : number(element.got));
  }
  if (wrong > first.size()) text += "\n  ...";
  return text;
}

}  // namespace warpwise::lesson
