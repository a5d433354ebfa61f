#include "lesson/pattern.h"

#include <fmt/format.h>

#include <numeric>

namespace warpwise::lesson {
namespace {

/// A set of indices with the same distance between neighbours.
struct Steps {
  std::size_t count = 0, first = 0, last = 0, step = 0;
  bool even() const { return count > 1 && (last - first) / step + 1 == count; }
};

Steps steps_of(const std::vector<bool>& flags, bool wanted) {
  Steps steps;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != wanted) continue;
    if (steps.count == 0) {
      steps.first = i;
    } else {
      steps.step = std::gcd(steps.step, i - steps.last);
    }
    steps.last = i;
    ++steps.count;
  }
  return steps;
}

std::string ordinal(std::size_t number) {
  const bool teen = number % 100 / 10 == 1;
  const std::size_t digit = teen ? 0 : number % 10;
  const char* ending = digit == 1 ? "st" : digit == 2 ? "nd" : digit == 3 ? "rd" : "th";
  return fmt::format("{}{}", number, ending);
}

}  // namespace

std::string pattern_of(const std::vector<bool>& wrong) {
  const Steps bad = steps_of(wrong, true);
  if (bad.count == 0) return "";
  if (bad.count == wrong.size()) return "all of them";
  if (bad.count > 1 && bad.even() && bad.step == 1) {
    if (bad.last + 1 == wrong.size()) return fmt::format("all from {} on: the tail", bad.first);
    return fmt::format("all from {} to {}", bad.first, bad.last);
  }
  if (bad.count > 2 && bad.even()) {
    return fmt::format("every {}, from {}", ordinal(bad.step), bad.first);
  }
  const Steps good = steps_of(wrong, false);
  if (good.count == 1) return fmt::format("all but {}", good.first);
  if (good.count > 2 && good.even() && good.step > 1) {
    return fmt::format("all but every {}, from {}", ordinal(good.step), good.first);
  }
  if (bad.count == 1) return fmt::format("only {}", bad.first);
  return "";
}

std::string matrix_pattern_of(const std::vector<bool>& wrong, std::size_t row_length) {
  const std::size_t rows = wrong.size() / row_length;
  std::vector<bool> bad_rows(rows);
  std::vector<std::size_t> in_column(row_length);
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    if (!wrong[i]) continue;
    bad_rows[i / row_length] = true;
    ++in_column[i % row_length];
  }
  std::size_t bad_count = 0;
  for (const bool bad : bad_rows) bad_count += bad ? 1 : 0;
  std::vector<bool> columns(row_length);
  for (std::size_t c = 0; c < row_length; ++c) {
    if (in_column[c] != 0 && in_column[c] != bad_count) return pattern_of(wrong);
    columns[c] = in_column[c] != 0;
  }
  const std::string of_columns = pattern_of(columns);
  if (bad_count == 0 || of_columns.empty()) return "";
  const std::string of_rows =
      bad_count == rows ? "in every row" : "in rows: " + pattern_of(bad_rows);
  if (bad_count != rows && pattern_of(bad_rows).empty()) {
    return fmt::format("in {} of {} rows, columns: {}", bad_count, rows, of_columns);
  }
  return fmt::format("{}, columns: {}", of_rows, of_columns);
}

}  // namespace warpwise::lesson
