#include "tutor/course/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace warpwise::tutor {
namespace {

constexpr std::string_view cases_mark = "[doctest] test cases:";

// One program that ctest ran.
struct Test {
  std::string name, output;
  bool ended = false, passed = false, skipped = false;
  std::optional<Tally> cases;
};

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

// The number at the beginning of a text, whose start moves past it.
std::optional<int> take_number(std::string_view& text) {
  text = without_blanks(text);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

// " 5 |  4 passed | 1 failed | 0 skipped"
std::optional<Tally> parse_cases(std::string_view text) {
  Tally tally;
  if (!take_number(text)) return std::nullopt;
  for (int* count : {&tally.passed, &tally.failed, &tally.skipped}) {
    text.remove_prefix(std::min(text.find('|'), text.size() - 1) + 1);
    const auto value = take_number(text);
    if (!value) return std::nullopt;
    *count = *value;
  }
  return tally;
}

// "3: text": a line that test 3 printed.
bool take_output(std::string_view line, std::map<int, Test>& tests) {
  const auto number = take_number(line);
  if (!number || !line.starts_with(':')) return false;
  line.remove_prefix(std::min<std::size_t>(line.size(), 2));
  Test& test = tests[*number];
  test.output += line;
  test.output += '\n';
  if (const auto at = line.find(cases_mark); at != std::string_view::npos) {
    test.cases = parse_cases(line.substr(at + cases_mark.size()));
  }
  return true;
}

// " 1/12 Test  #3: name ......   Passed    0.05 sec", or "***Failed", "***Timeout", "***Not Run"
// ...
void take_result(std::string_view line, std::map<int, Test>& tests) {
  const auto at = line.find(" Test ");
  const auto sign = line.find('#', at);
  const bool has_result = line.find("   Passed ") != std::string_view::npos ||
                          line.find("***") != std::string_view::npos;
  if (at == std::string_view::npos || sign == std::string_view::npos || !has_result) return;
  line.remove_prefix(sign + 1);
  const auto number = take_number(line);
  if (!number) return;
  Test& test = tests[*number];
  line.remove_prefix(std::min<std::size_t>(line.size(), 2));
  test.name = line.substr(0, line.find(' '));
  test.ended = true;
  test.passed = line.find("***") == std::string_view::npos;
  test.skipped = line.find("***Skipped") != std::string_view::npos;
  if (!test.passed) test.output += fmt::format("{}\n", line.substr(line.find("***")));
}

void add(const Test& test, TestSummary& summary) {
  if (test.skipped) {
    ++summary.tally.skipped;
    return;
  }
  Tally cases = test.cases.value_or(Tally{test.passed ? 1 : 0, 0, 0});
  if (!test.passed) cases.failed = std::max(cases.failed, 1);
  summary.tally += cases;
  if (!test.passed) summary.failures += fmt::format("== {} failed\n{}", test.name, test.output);
}

}  // namespace

std::string Tally::text() const {
  std::string text = fmt::format("{} passed, {} failed", passed, failed);
  if (skipped > 0) text += fmt::format(", {} skipped", skipped);
  return text;
}

Tally& Tally::operator+=(const Tally& other) {
  passed += other.passed;
  failed += other.failed;
  skipped += other.skipped;
  return *this;
}

TestSummary read_ctest(std::string_view output) {
  std::map<int, Test> tests;
  while (!output.empty()) {
    const auto end = std::min(output.find('\n'), output.size());
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    if (!take_output(line, tests)) take_result(line, tests);
  }
  TestSummary summary;
  for (const auto& [number, test] : tests) {
    if (test.ended) add(test, summary);
  }
  return summary;
}

}  // namespace warpwise::tutor
