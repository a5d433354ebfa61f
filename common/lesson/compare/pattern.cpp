#include "lesson/compare/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace warpwise::lesson {
namespace {

constexpr std::size_t warp = 32;
/// So many are named one by one.
constexpr std::size_t most_named = 3;

/// A set of indices with the same distance between neighbours.
struct Steps {
  std::size_t count = 0, first = 0, last = 0, step = 0;
  bool even() const { return count > 1 && (last - first) / step + 1 == count; }
};

Steps steps_of(const Marks& flags, bool wanted) {
  Steps steps;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != wanted) continue;
    if (steps.count == 0) {
      steps.first = i;
    } else if (steps.step != 1) {
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

/// Returns a question about the place of one index, if that is remarkable.
std::string question_about(std::size_t index) {
  std::size_t group = 1024;
  while (group >= warp && index % group != 0 && (index + 1) % group != 0) group /= 2;
  if (group < warp) return "";
  if (index == 0) return "What is different at the very beginning?";
  return fmt::format("It is the {} of {}: what happens at the edge of a {}?",
                     index % group == 0 ? "first" : "last", group,
                     group == warp ? "warp" : "block or a tile");
}

std::string question_about_step(std::size_t step, std::size_t first) {
  if (step == warp) return fmt::format("That is lane {}: what does it do otherwise?", first % warp);
  if (step % warp == 0) {
    return fmt::format("That is thread {} of every {}: what does it do otherwise?", first % step,
                       step);
  }
  return "What do these have in common, and which thread makes them?";
}

const char* const ask_of_tail =
    "What is different at the end? Look at the last block, the last turn of a loop.";

/// Runs of one length that begin at one distance: "the last 4 of every 32". The last run may be
/// cut.
std::optional<Pattern> runs_of(const Marks& wrong) {
  std::vector<std::size_t> begins, lengths;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    if (!wrong[i]) continue;
    if (i == 0 || !wrong[i - 1]) {
      begins.push_back(i);
      lengths.push_back(0);
    }
    ++lengths.back();
  }
  if (begins.size() < 3) return std::nullopt;
  const std::size_t length = lengths[0], distance = begins[1] - begins[0];
  for (std::size_t run = 1; run < begins.size(); ++run) {
    if (begins[run] - begins[run - 1] != distance) return std::nullopt;
    const bool cut = run + 1 == begins.size() && begins[run] + lengths[run] == wrong.size();
    if (lengths[run] != length && !(cut && lengths[run] < length)) return std::nullopt;
  }
  // One run more would have to be missing.
  if (begins.back() + distance < wrong.size() || begins[0] >= distance) return std::nullopt;
  const std::size_t from = begins[0] % distance;
  const std::string asks =
      length > 1 && distance == warp
          ? fmt::format("Those are lanes {} to {}: what do they not get from the other lanes?",
                        from, from + length - 1)
          : question_about_step(distance, from);
  if (length == 1) return Pattern{fmt::format("every {}, from {}", ordinal(distance), from), asks};
  if (from == 0) return Pattern{fmt::format("the first {} of every {}", length, distance), asks};
  if (from + length == distance) {
    return Pattern{fmt::format("the last {} of every {}", length, distance), asks};
  }
  return Pattern{fmt::format("{} to {} of every {}", from, from + length - 1, distance), asks};
}

std::string listed(const Marks& wrong) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < wrong.size() && names.size() <= most_named; ++i) {
    if (wrong[i]) names.push_back(fmt::format("{}", i));
  }
  if (names.empty() || names.size() > most_named) return "";
  std::string text = names[0];
  for (std::size_t i = 1; i < names.size(); ++i) {
    text += (i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

/// A rule of rows against columns that names no number.
std::string diagonal_rule(const Marks& wrong, std::size_t row_length) {
  using Rule = bool (*)(std::size_t row, std::size_t column);
  const std::pair<const char*, Rule> rules[] = {
      {"the diagonal", [](std::size_t row, std::size_t column) { return row == column; }},
      {"all but the diagonal", [](std::size_t row, std::size_t column) { return row != column; }},
      {"all above the diagonal", [](std::size_t row, std::size_t column) { return column > row; }},
      {"all below the diagonal", [](std::size_t row, std::size_t column) { return column < row; }}};
  if (row_length < 3 || wrong.size() / row_length < 3) return "";
  for (const auto& [name, holds] : rules) {
    bool all = true;
    for (std::size_t i = 0; i < wrong.size() && all; ++i) {
      all = wrong[i] == holds(i / row_length, i % row_length);
    }
    if (all) return name;
  }
  return "";
}

/// "column 3", "the columns from 96 on, the tail", "every 32nd column, from 0".
std::string of_noun(const std::string& says, const std::string& noun) {
  if (says.rfind("all from ", 0) == 0) return fmt::format("all {}s {}", noun, says.substr(4));
  if (says.rfind("every ", 0) == 0) {
    const std::size_t end = std::min(says.find(','), says.size());
    return fmt::format("{} {}{}", says.substr(0, end), noun, says.substr(end));
  }
  if (says.rfind("all but ", 0) == 0) return fmt::format("all {}s but {}", noun, says.substr(8));
  const bool one = says.find_first_not_of("0123456789") == std::string::npos;
  return fmt::format("{}{} {}", noun, one ? "" : "s", says);
}

}  // namespace

Pattern pattern_of(const Marks& wrong) {
  const Steps bad = steps_of(wrong, true);
  if (bad.count == 0) return {};
  if (bad.count == wrong.size()) return {"all of them", ""};
  if (bad.count == 1) return {fmt::format("{}", bad.first), question_about(bad.first)};
  const Steps good = steps_of(wrong, false);
  if (good.count == 1) {
    return {fmt::format("all but {}", good.first),
            good.first == 0 ? "Do all threads compute index 0, or does a guard stop the others?"
                            : question_about(good.first)};
  }
  if (bad.even() && bad.step == 1) {
    if (bad.last + 1 == wrong.size() && bad.first > 1 && 4 * bad.first < wrong.size()) {
      return {fmt::format("all but the first {}", bad.first),
              "What is different after these first ones?"};
    }
    if (bad.last + 1 == wrong.size() && bad.first > 1) {
      return {fmt::format("all from {} on, the tail", bad.first), ask_of_tail};
    }
    return {fmt::format("{} to {}", bad.first, bad.last), ""};
  }
  if (bad.count > 2 && bad.even()) {
    return {fmt::format("every {}, from {}", ordinal(bad.step), bad.first),
            question_about_step(bad.step, bad.first)};
  }
  if (good.count > 2 && good.even() && good.step > 1) {
    return {fmt::format("all but every {}, from {}", ordinal(good.step), good.first),
            question_about_step(good.step, good.first)};
  }
  if (auto runs = runs_of(wrong)) return *runs;
  return {listed(wrong), ""};
}

Pattern matrix_pattern_of(const Marks& wrong, std::size_t row_length) {
  const std::size_t rows = wrong.size() / row_length;
  Marks bad_rows(rows);
  std::vector<std::size_t> in_column(row_length);
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    if (!wrong[i]) continue;
    bad_rows[i / row_length] = true;
    ++in_column[i % row_length];
  }
  const auto bad_count =
      static_cast<std::size_t>(std::count(bad_rows.begin(), bad_rows.end(), true));
  if (bad_count == 0) return {};
  Marks columns(row_length);
  for (std::size_t c = 0; c < row_length; ++c) {
    if (in_column[c] != 0 && in_column[c] != bad_count) {
      // Not the same columns in every row.
      const std::string rule = diagonal_rule(wrong, row_length);
      if (!rule.empty()) return {rule, "Which index is the row's, and which the column's?"};
      Pattern flat = pattern_of(wrong);
      // The one right element among all rows is an accident.
      if (steps_of(wrong, false).count == 1) return {};
      if (!flat.says.empty()) flat.says += ", counted through all rows";
      return flat;
    }
    columns[c] = in_column[c] != 0;
  }
  const Pattern of_columns = pattern_of(columns), of_rows = pattern_of(bad_rows);
  const bool all_rows = bad_count == rows;
  const bool all_columns = of_columns.says == "all of them";
  if (all_rows && all_columns) return {"all of them", ""};
  const std::string some_rows = of_rows.says.empty() ? fmt::format("{} of {} rows", bad_count, rows)
                                                     : of_noun(of_rows.says, "row");
  if (all_columns) return {some_rows + ", in full", of_rows.asks};
  if (of_columns.says.empty()) {
    if (all_rows) return {};
    return {fmt::format("parts of {}", some_rows), of_rows.asks};
  }
  const std::string some_columns = of_noun(of_columns.says, "column");
  const std::string asks = of_columns.asks.empty() ? of_rows.asks : of_columns.asks;
  return {fmt::format("{}, in {}", some_columns, all_rows ? "every row" : some_rows), asks};
}

}  // namespace warpwise::lesson
