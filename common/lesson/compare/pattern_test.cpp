#include "lesson/compare/pattern.h"

#include <doctest/doctest.h>

#include <functional>

using namespace warpwise::lesson;

namespace {

Marks where(std::size_t count, const std::function<bool(std::size_t)>& wrong) {
  Marks flags(count);
  for (std::size_t i = 0; i < count; ++i) flags[i] = wrong(i);
  return flags;
}

}  // namespace

TEST_CASE("patterns of a list") {
  const auto of = [](const std::function<bool(std::size_t)>& wrong) {
    return pattern_of(where(1000, wrong)).says;
  };
  CHECK(of([](auto) { return false; }).empty());
  CHECK(of([](auto) { return true; }) == "all of them");
  CHECK(of([](auto i) { return i >= 992; }) == "all from 992 on, the tail");
  CHECK(of([](auto i) { return i >= 64; }) == "all but the first 64");
  CHECK(of([](auto i) { return i >= 5 && i < 9; }) == "5 to 8");
  CHECK(of([](auto i) { return i % 32 == 0; }) == "every 32nd, from 0");
  CHECK(of([](auto i) { return i % 11 == 3; }) == "every 11th, from 3");
  CHECK(of([](auto i) { return i % 32 != 0; }) == "all but every 32nd, from 0");
  CHECK(of([](auto i) { return i != 7; }) == "all but 7");
  CHECK(of([](auto i) { return i == 7; }) == "7");
  CHECK(of([](auto i) { return i == 1 || i == 2 || i == 500; }) == "1, 2 and 500");
  CHECK(of([](auto i) { return i == 3 || i == 90; }) == "3 and 90");
  CHECK(of([](auto i) { return i * i % 7 == 1 && i % 5 != 0; }).empty());
}

TEST_CASE("runs of equal length at equal distance") {
  const auto of = [](std::size_t count, const std::function<bool(std::size_t)>& wrong) {
    return pattern_of(where(count, wrong)).says;
  };
  CHECK(of(1024, [](auto i) { return i % 32 >= 28; }) == "the last 4 of every 32");
  CHECK(of(1024, [](auto i) { return i % 32 < 4; }) == "the first 4 of every 32");
  CHECK(of(1024, [](auto i) { return i % 32 > 3 && i % 32 < 6; }) == "4 to 5 of every 32");
  // The last run is cut.
  CHECK(of(1022, [](auto i) { return i % 32 >= 28; }) == "the last 4 of every 32");
  // One run is missing, one is shorter.
  CHECK(of(1024, [](auto i) { return i % 32 >= 28 && i < 900; }).empty());
  CHECK(of(1024, [](auto i) { return i % 32 >= 28 && i != 60; }).empty());
}

TEST_CASE("a pattern raises a question") {
  const auto asks = [](const std::function<bool(std::size_t)>& wrong) {
    return pattern_of(where(1024, wrong)).asks;
  };
  CHECK(asks([](auto i) { return i % 32 == 5; }).find("lane 5") != std::string::npos);
  CHECK(asks([](auto i) { return i % 128 == 5; }).find("thread 5 of every 128") !=
        std::string::npos);
  CHECK(asks([](auto i) { return i == 255; }).find("the last of 256") != std::string::npos);
  CHECK(asks([](auto i) { return i == 31; }).find("edge of a warp") != std::string::npos);
  CHECK(asks([](auto i) { return i == 0; }).find("very beginning") != std::string::npos);
  CHECK(asks([](auto i) { return i == 77; }).empty());
  CHECK(asks([](auto i) { return i != 0; }) ==
        "Do all threads compute index 0, or does a guard stop the others?");
  CHECK(asks([](auto i) { return i % 32 < 16; }).find("lanes 0 to 15") != std::string::npos);
}

TEST_CASE("patterns of a matrix") {
  const auto of = [](const std::function<bool(std::size_t, std::size_t)>& wrong) {
    return matrix_pattern_of(where(1000, [&](std::size_t i) { return wrong(i / 100, i % 100); }),
                             100)
        .says;
  };
  CHECK(of([](auto, auto) { return false; }).empty());
  CHECK(of([](auto, auto) { return true; }) == "all of them");
  CHECK(of([](auto, auto c) { return c % 32 != 0; }) ==
        "all columns but every 32nd, from 0, in every row");
  CHECK(of([](auto, auto c) { return c >= 96; }) ==
        "all columns from 96 on, the tail, in every row");
  CHECK(of([](auto r, auto) { return r >= 8; }) == "all rows from 8 on, the tail, in full");
  CHECK(of([](auto r, auto) { return r != 0; }) == "all rows but 0, in full");
  CHECK(of([](auto r, auto) { return r == 1 || r == 2 || r == 7; }) == "rows 1, 2 and 7, in full");
  CHECK(of([](auto r, auto) { return r % 2 == 1; }) == "every 2nd row, from 1, in full");
  CHECK(of([](auto r, auto c) { return r == 3 && c == 9; }) == "column 9, in row 3");
  CHECK(of([](auto r, auto c) { return r == 3 && c > 8 && c < 20; }) ==
        "columns 9 to 19, in row 3");
  CHECK(of([](auto r, auto c) { return r == c; }) == "the diagonal");
  CHECK(of([](auto r, auto c) { return c > r; }) == "all above the diagonal");
  CHECK(of([](auto r, auto c) { return c < r; }) == "all below the diagonal");
  CHECK(of([](auto r, auto c) { return r * 100 + c >= 860; }) ==
        "all from 860 on, the tail, counted through all rows");
  // The one right element is an accident.
  CHECK(of([](auto r, auto c) { return r != 1 || c != 80; }).empty());
  CHECK(of([](auto r, auto c) { return (r * 7 + c * c) % 5 == 2; }).empty());
}
