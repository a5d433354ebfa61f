#include "lesson/pattern.h"

#include <doctest/doctest.h>

#include <functional>

using namespace warpwise::lesson;

namespace {

std::vector<bool> where(std::size_t count, const std::function<bool(std::size_t)>& wrong) {
  std::vector<bool> flags(count);
  for (std::size_t i = 0; i < count; ++i) flags[i] = wrong(i);
  return flags;
}

}  // namespace

TEST_CASE("patterns of a list") {
  const auto of = [](const std::function<bool(std::size_t)>& wrong) {
    return pattern_of(where(1000, wrong));
  };
  CHECK(of([](auto) { return false; }).empty());
  CHECK(of([](auto) { return true; }) == "all of them");
  CHECK(of([](auto i) { return i >= 992; }) == "all from 992 on: the tail");
  CHECK(of([](auto i) { return i >= 5 && i < 9; }) == "all from 5 to 8");
  CHECK(of([](auto i) { return i % 32 == 0; }) == "every 32nd, from 0");
  CHECK(of([](auto i) { return i % 11 == 3; }) == "every 11th, from 3");
  CHECK(of([](auto i) { return i % 32 != 0; }) == "all but every 32nd, from 0");
  CHECK(of([](auto i) { return i != 7; }) == "all but 7");
  CHECK(of([](auto i) { return i == 7; }) == "only 7");
  CHECK(of([](auto i) { return i == 1 || i == 2 || i == 500; }).empty());
  CHECK(of([](auto i) { return i == 3 || i == 90; }).empty());
}

TEST_CASE("patterns of a matrix") {
  const auto of = [](const std::function<bool(std::size_t, std::size_t)>& wrong) {
    return matrix_pattern_of(where(1000, [&](std::size_t i) { return wrong(i / 100, i % 100); }),
                             100);
  };
  CHECK(of([](auto, auto) { return false; }).empty());
  CHECK(of([](auto, auto) { return true; }) == "in every row, columns: all of them");
  CHECK(of([](auto, auto c) { return c % 32 != 0; }) ==
        "in every row, columns: all but every 32nd, from 0");
  CHECK(of([](auto, auto c) { return c >= 96; }) ==
        "in every row, columns: all from 96 on: the tail");
  CHECK(of([](auto r, auto) { return r >= 8; }) ==
        "in rows: all from 8 on: the tail, columns: all of them");
  CHECK(of([](auto r, auto) { return r == 1 || r == 2 || r == 7; }) ==
        "in 3 of 10 rows, columns: all of them");
  CHECK(of([](auto r, auto c) { return (r == 0 && c == 1) || (r == 5 && c == 2); }).empty());
}
