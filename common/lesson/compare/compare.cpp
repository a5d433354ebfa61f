#include "lesson/compare/compare.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "lesson/compare/pattern.h"

namespace warpwise::lesson {
namespace {

constexpr std::size_t shown_elements = 4;
constexpr std::uint32_t poison_bits = 0x01010101U * poison_byte;

Pattern pattern_in(const Marks& flags, std::size_t set, std::size_t row_length) {
  if (set == 0 || flags.size() < 2) return {};
  const bool matrix = row_length > 1 && flags.size() % row_length == 0 && flags.size() > row_length;
  return matrix ? matrix_pattern_of(flags, row_length) : pattern_of(flags);
}

std::string number(double value) {
  return std::isnan(value) ? "NaN" : fmt::format("{:.7g}", value);
}

/// "12", or row and column.
std::string place(std::size_t index, std::size_t row_length) {
  if (row_length == 0) return fmt::format("{:>8}", index);
  return fmt::format("{:>6} {:>7}", index / row_length, index % row_length);
}

}  // namespace

std::vector<float> widened_bf16(std::span<const std::uint16_t> numbers) {
  constexpr std::uint32_t poison = 0x0101U * poison_byte;
  std::vector<float> values;
  values.reserve(numbers.size());
  for (const std::uint32_t bits : numbers) {
    const std::uint32_t low = bits == poison ? poison : 0;
    values.push_back(std::bit_cast<float>(bits << 16 | low));
  }
  return values;
}

Comparison compare(std::span<const double> expected, std::span<const float> got,
                   Tolerance tolerance, std::size_t row_length, std::span<const Slip> slips) {
  Comparison result;
  result.total = std::max(expected.size(), got.size());
  result.row_length = row_length;
  Marks wrong(result.total);
  Marks unset(result.total);
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
    result.unwritten_pattern = pattern_in(unset, result.unwritten, row_length).says;
    if (expected.size() == got.size()) {
      for (std::size_t i = 0; i < result.total; ++i) wrong[i] = wrong[i] && !unset[i];
      const std::vector<double> values(got.begin(), got.end());
      const Outcome outcome{expected, values, wrong, tolerance, row_length};
      result.values = slip_pattern(outcome, slips);
      if (result.values.says.empty()) result.values = value_pattern(outcome);
    }
  }
  return result;
}

std::string Comparison::summary() const {
  return which() + (values.says.empty() ? "" : " " + values.says);
}

std::string Comparison::which() const {
  const bool none_written = unwritten == wrong;
  const bool some = !pattern.says.empty() && pattern.says != "all of them";
  std::string text = fmt::format("{} of {} elements {}{}{}.", wrong, total,
                                 none_written ? "were never written" : "are wrong",
                                 some ? ": " : "", some ? pattern.says : "");
  if (total == 1)
    text = none_written ? "its one element was never written." : "its one element is wrong.";
  if (!none_written && unwritten > 0) {
    text += fmt::format(" {} of them were never written{}{}.", unwritten,
                        unwritten_pattern.empty() ? "" : ": ", unwritten_pattern);
  }
  return text;
}

std::string Comparison::text() const {
  if (right()) return fmt::format("all {} elements are right", total);
  std::string text = which();
  text += fmt::format("\n {} {:>14} {:>14}", row_length == 0 ? " element" : "   row  column",
                      "expected", "got");
  for (const WrongElement& element : first) {
    text +=
        fmt::format("\n {} {:>14} {:>14}", place(element.index, row_length),
                    number(element.expected), element.unwritten ? "nothing" : number(element.got));
  }
  if (wrong > first.size()) text += fmt::format("\n {:>8}", "...");
  if (!values.says.empty()) text += "\n" + values.says;
  return text;
}

std::string Comparison::next() const {
  if (unwritten == wrong && wrong == total) return "Does any thread get as far as the store?";
  if (unwritten == wrong) {
    return pattern.asks.empty() ? "Which threads should write these, and what keeps them from it?"
                                : pattern.asks;
  }
  if (!values.asks.empty()) return values.asks;
  if (!pattern.asks.empty()) return pattern.asks;
  return "Work out the first of these elements by hand, step by step, and compare.";
}

}  // namespace warpwise::lesson
