#include "lesson/compare/value_pattern.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "base/numbers.h"

using namespace warpwise::lesson;

namespace {

constexpr std::size_t rows = 20, columns = 30;

/// The pattern found in random values after a change, by index.
Pattern pattern(const std::function<float(const std::vector<float>&, std::size_t)>& change,
                Tolerance tolerance = {}) {
  const std::vector<float> right = uniform_numbers(rows * columns);
  const std::vector<double> expected(right.begin(), right.end());
  std::vector<double> got(right.size());
  Marks wrong(right.size());
  for (std::size_t i = 0; i < right.size(); ++i) {
    got[i] = change(right, i);
    wrong[i] = !is_right(expected[i], got[i], tolerance);
  }
  return value_pattern({expected, got, wrong, tolerance, columns});
}

std::string says(const std::function<float(const std::vector<float>&, std::size_t)>& change) {
  return pattern(change).says;
}

using Values = const std::vector<float>&;

}  // namespace

TEST_CASE("values that come out of the right ones by one rule") {
  CHECK(says([](Values x, auto i) { return x[i]; }).empty());
  CHECK(says([](Values, auto) { return NAN; }) == "They are NaN.");
  CHECK(says([](Values x, auto i) { return i < 5 ? NAN : x[i] * x[i]; }) == "5 of them are NaN.");
  CHECK(says([](Values, auto) { return 0.0F; }) == "Each of them is 0.");
  CHECK(says([](Values x, auto i) { return i % 3 == 0 ? 4.5F : x[i]; }) == "Each of them is 4.5.");
  CHECK(says([](Values x, auto i) { return -x[i]; }) == "Only their sign is wrong.");
  CHECK(says([](Values x, auto i) { return 2 * x[i]; }) ==
        "Each of them is 2 times what it should be.");
  CHECK(says([](Values x, auto i) { return x[i] / 32; }) ==
        "Each of them is 1/32 times what it should be.");
  CHECK(says([](Values x, auto i) { return x[i] + 8; }) == "Each of them is too large by 8.");
  CHECK(says([](Values x, auto i) { return x[i] - 0.25F; }) ==
        "Each of them is too small by 0.25.");
  CHECK(says([](Values x, auto i) {
          return x[i] * (1 + 1e-4F * static_cast<float>(i % 7 + 1));
        }).find("They are close") == 0);
}

TEST_CASE("a difference is that of each, also among values whose rounding is larger") {
  const std::vector<double> expected{1, 2, 4, 3'000'000'001.0};
  const std::vector<double> got{0, 1, 3, 3e9};
  const Marks wrong(4, true);
  CHECK(value_pattern({expected, got, wrong, {}, 0}).says == "Each of them is too small by 1.");
  const std::vector<double> uneven{0, 0, 0, 3e9};
  CHECK(value_pattern({expected, uneven, wrong, {}, 0}).says.find("too small by") ==
        std::string::npos);
}

TEST_CASE("values at another place") {
  CHECK(says([](Values x, auto i) { return x[(i + 1) % x.size()]; }) ==
        "Each has the value of the element after it.");
  CHECK(says([](Values x, auto i) { return x[(i + x.size() - 1) % x.size()]; }) ==
        "Each has the value of the element before it.");
  CHECK(says([](Values x, auto i) { return x[(i + columns) % x.size()]; }) ==
        "Each has the value of the row below.");
  CHECK(says([](Values x, auto i) { return x[(i + x.size() - columns) % x.size()]; }) ==
        "Each has the value of the row above.");
  CHECK(says([](Values x, auto i) { return x[x.size() - 1 - i]; }) ==
        "The values are in reverse order.");
  CHECK(says([](Values x, auto i) { return x[i ^ 1]; }) == "Neighbours are exchanged, two by two.");
  CHECK(says([](Values x, auto i) { return x[i % rows * columns + i / rows]; }) ==
        "Rows and columns are exchanged.");
  CHECK(says([](Values x, auto i) { return x[i / columns * columns]; }) ==
        "Within a row they all have one value.");
  CHECK(says([](Values x, auto i) { return x[i * 7 % x.size()]; }) ==
        "Each has a value that is right at another place.");
}

TEST_CASE("a sign is seen in one element, and memory that no kernel wrote by what it holds") {
  const std::vector<double> expected{0.25}, got{-0.25};
  const Marks wrong{true};
  CHECK(value_pattern({expected, got, wrong, {}, 0}).says == "Only their sign is wrong.");
  const std::vector<double> zero{0};
  CHECK(value_pattern({zero, zero, wrong, {}, 0}).says.empty());
  const std::vector<double> three{1, 2, 3};
  const std::vector<double> fresh(3, std::bit_cast<float>(0xCDCDCDCDU)), none(3, 0);
  const Marks all(3, true);
  CHECK(value_pattern({three, fresh, all, {}, 0}).says.find("No kernel wrote them") == 0);
  CHECK(value_pattern({three, none, all, {}, 0, false}).asks.find("whole numbers") !=
        std::string::npos);
}

TEST_CASE("a rule that differs from row to row is seen in the first wrong row") {
  CHECK(says([](Values x, auto i) { return x[i] * static_cast<float>(i / columns + 2); }) ==
        "In row 0: Each of them is 2 times what it should be.");
  CHECK(says([](Values x, auto i) {
          return i % columns == 0 ? 0.0F : x[i - 1] + (i / columns % 2 == 0 ? 0.0F : 3.0F);
        }) == "In row 0: Each has the value of the element before it.");
}

TEST_CASE("no rule is seen where none exists, or too little to see it in") {
  CHECK(says([](Values x, auto i) { return x[i] * x[i] + static_cast<float>(i); }).empty());
  // Two values.
  CHECK(says([](Values x, auto i) { return i < 2 ? 0.0F : x[i]; }).empty());
  // One exception.
  CHECK(says([](Values x, auto i) { return i == 9 ? 77.0F : -x[i]; }).empty());
  // Equal numbers everywhere prove no place.
  const std::vector<double> ones(10, 1.0);
  const std::vector<double> got{1, 2, 1, 3, 1, 4, 1, 5, 1, 6};
  const Marks wrong{false, true, false, true, false, true, false, true, false, true};
  CHECK(value_pattern({ones, got, wrong, {}, 0}).says.empty());
  // Single answers have no neighbours.
  const std::vector<double> answers{1, 2, 4, 8, 16};
  const std::vector<double> shifted{2, 4, 8, 16, 32};
  const Marks all(5, true);
  CHECK(value_pattern({answers, shifted, all, {}, 0, false}).says ==
        "Each of them is 2 times what it should be.");
  const std::vector<double> moved{2, 4, 8, 16, 1};
  CHECK(value_pattern({answers, moved, all, {}, 0, false}).says.empty());
}

TEST_CASE("a large number is not close to infinity") {
  const std::vector<double> wanted(4, -INFINITY);
  const std::vector<double> got(4, -3.402823466e38);
  CHECK(value_pattern({wanted, got, Marks(4, true), {}, 0}).says ==
        "They should be infinite, and finite numbers are stored.");
  const std::vector<double> mixed{-INFINITY, 1, 2, 3}, near{-1, 1.001, 2.001, 3.001};
  CHECK(value_pattern({mixed, near, Marks(4, true), {}, 0}).says.empty());
}

TEST_CASE("whole numbers too large for a float keep their differences") {
  const std::vector<double> wanted{1, 2147483647, 100};
  const std::vector<double> got{0, 2147483646, 99};
  CHECK(value_pattern({wanted, got, Marks(3, true), {}, 0, false}).says ==
        "Each of them is too small by 1.");
}

TEST_CASE("a slip is named where it explains all that is wrong in the first wrong row") {
  const std::vector<double> wanted{1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<Slip> slips = {{"Tens.", "Why?", [](std::size_t i) { return 10.0 * (i + 1); }},
                                   {"Odd.", "How?", [](std::size_t i) { return 2.0 * i; }}};
  const auto says = [&](std::vector<double> got, std::size_t columns) {
    Marks wrong;
    for (std::size_t i = 0; i < got.size(); ++i) wrong.push_back(got[i] != wanted[i]);
    return slip_pattern({wanted, got, wrong, {}, columns}, slips).says;
  };
  CHECK(says({1, 2, 3, 4, 50, 60, 70, 80}, 4) == "In row 1: Tens.");
  CHECK(says({10, 20, 30, 40, 0, 0, 0, 0}, 4) == "In row 0: Tens.");
  CHECK(says({0, 2, 4, 6, 8, 10, 12, 14}, 0) == "Odd.");
  CHECK(says({10, 20, 30, 41, 50, 60, 70, 80}, 4).empty());
  // Two of four prove nothing.
  CHECK(says({10, 20, 3, 4, 5, 6, 7, 8}, 4).empty());
  CHECK(says({1, 2, 3, 4, 5, 6, 7, 8}, 4).empty());
}

TEST_CASE("every rule asks something") {
  CHECK(pattern([](Values x, auto i) { return -x[i]; }).asks.back() == '?');
  CHECK(pattern([](Values x, auto i) { return x[i ^ 1]; }).asks.back() == '?');
}
