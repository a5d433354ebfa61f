#include "lesson/compare/compare.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace warpwise::lesson;

namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
const float poison = std::bit_cast<float>(std::uint32_t{0x7F7F7F7F});

/// Compares counting numbers with themselves after one change.
template <class Change>
Comparison changed(std::size_t count, std::size_t row_length, Change change) {
  std::vector<double> expected(count);
  std::vector<float> got(count);
  for (std::size_t i = 0; i < count; ++i) expected[i] = got[i] = static_cast<float>(i);
  change(got);
  return compare(expected, got, {.absolute = 1e-6}, row_length);
}

}  // namespace

TEST_CASE("bf16 outputs are widened, and what was never written stays known") {
  // 1, -2.5, a NaN, and an element that still holds the poison.
  const std::vector<std::uint16_t> bits = {0x3F80, 0xC020, 0x7FC0, 0x7F7F};
  const std::vector<float> values = widened_bf16(bits);
  CHECK(values[0] == 1.0F);
  CHECK(values[1] == -2.5F);
  const std::vector<double> expected = {1, -2.5, 0, 3.39e38};
  const Comparison comparison = compare(expected, values, {.relative = 1});
  CHECK(comparison.wrong == 2);
  CHECK(comparison.unwritten == 1);
}

TEST_CASE("an equal output is right") {
  CHECK(changed(100, 10, [](auto&) {}).right());
  CHECK(compare({}, {}, {}).right());
}

TEST_CASE("a NaN is wrong wherever a number is wanted") {
  const Comparison result = changed(100, 0, [](auto& got) { got[7] = nan_value; });
  CHECK(result.wrong == 1);
  REQUIRE(result.first.size() == 1);
  CHECK(result.first[0].index == 7);
  CHECK_FALSE(result.first[0].unwritten);
}

TEST_CASE("NaN and infinity are compared as stated") {
  const std::vector<double> expected{std::nan(""), infinity, -infinity, 1e300};
  const std::vector<float> right{-nan_value, infinity, -infinity, infinity};
  CHECK(
      compare(expected, std::vector<float>{nan_value, infinity, -infinity, infinity}, {}).right());
  CHECK(compare(expected, std::vector<float>{1, -infinity, 3e38F, -infinity}, {}).wrong == 4);
  CHECK(compare(std::vector<double>{1}, std::vector<float>{infinity}, {.absolute = 1e30}).wrong ==
        1);
}

TEST_CASE("a stale or never written output is wrong, even where NaN is wanted") {
  const std::vector<double> expected{std::nan(""), 0};
  const Comparison result = compare(expected, std::vector<float>{poison, poison}, {});
  CHECK(result.wrong == 2);
  CHECK(result.unwritten == 2);
  CHECK(result.text().find("never written") != std::string::npos);
}

TEST_CASE("an output that is too short or too long is wrong") {
  const std::vector<double> expected{0, 1, 2};
  CHECK(compare(expected, std::vector<float>{0, 1}, {}).wrong == 1);
  CHECK(compare(expected, std::vector<float>{}, {}).wrong == 3);
  CHECK(compare(expected, std::vector<float>{0, 1, 2, 3}, {}).wrong == 1);
}

TEST_CASE("the tolerance is a limit, absolute and relative") {
  const std::vector<double> expected{1000};
  CHECK(compare(expected, std::vector<float>{1000.5F}, {.absolute = 0.5}).right());
  CHECK_FALSE(compare(expected, std::vector<float>{1000.5F}, {.absolute = 0.4}).right());
  CHECK(compare(expected, std::vector<float>{1000.5F}, {.relative = 5e-4}).right());
  CHECK_FALSE(compare(expected, std::vector<float>{1000.5F}, {.relative = 4e-4}).right());
  CHECK(compare(std::vector<double>{0.0}, std::vector<float>{-0.0F}, {}).right());
}

TEST_CASE("the pattern speaks of rows and columns where there are some") {
  const auto tails = [](std::vector<float>& got) {
    for (std::size_t i = 0; i < 1000; ++i) {
      if (i % 100 >= 96) got[i] = -1;
    }
  };
  CHECK(changed(1000, 100, tails).pattern.says == "all columns from 96 on, the tail, in every row");
  const auto tail = [](std::vector<float>& got) {
    for (std::size_t i = 992; i < 1000; ++i) got[i] = -1;
  };
  const Comparison result = changed(1000, 0, tail);
  CHECK(result.pattern.says == "all from 992 on, the tail");
  CHECK(result.values.says == "Each of them is -1.");
  CHECK(result.text() ==
        "8 of 1000 elements are wrong: all from 992 on, the tail.\n"
        "  element       expected            got\n"
        "      992            992             -1\n"
        "      993            993             -1\n"
        "      994            994             -1\n"
        "      995            995             -1\n"
        "      ...\n"
        "Each of them is -1.");
  CHECK(result.next() == result.values.asks);
}

TEST_CASE("elements that were never written have a pattern of their own") {
  const Comparison result = changed(200, 100, [](std::vector<float>& got) {
    for (std::size_t i = 0; i < 200; ++i) got[i] = i % 100 < 96 ? -1 : poison;
  });
  CHECK(result.pattern.says == "all of them");
  CHECK(result.unwritten_pattern == "all columns from 96 on, the tail, in every row");
  CHECK(result.text().find("8 of them were never written: all columns") != std::string::npos);
}

TEST_CASE("what was never written raises a question of its own") {
  const auto unwritten = [](std::size_t from) {
    return changed(100, 0, [=](std::vector<float>& got) {
      for (std::size_t i = from; i < got.size(); ++i) got[i] = poison;
    });
  };
  CHECK(unwritten(0).text().find("100 of 100 elements were never written.") == 0);
  CHECK(unwritten(0).next() == "Does any thread get as far as the store?");
  CHECK(unwritten(90).next() == unwritten(90).pattern.asks);
  const Comparison one = compare(std::vector<double>{1}, std::vector<float>{poison}, {});
  CHECK(one.text().find("its one element was never written.") == 0);
}
