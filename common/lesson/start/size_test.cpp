#include "lesson/start/size.h"

#include <doctest/doctest.h>

using warpwise::lesson::Size;

TEST_CASE("a size is read as it is written") {
  std::string problem;
  for (const char* text : {"1x1", "442368x128", "7", "4096x4096x64", "4096x4096x4096",
                           "8192x8192x8192", "32768x32768x1"}) {
    const auto size = Size::parse(text, problem);
    REQUIRE_MESSAGE(size, problem);
    CHECK(size->text() == text);
  }
  CHECK(Size({3, 5}).elements() == 15);
  CHECK(Size({3, 5}).largest_array() == 15);
  CHECK(Size({3, 5, 7}).largest_array() == 35);
  CHECK(Size::parse("3x5", problem) == Size{3, 5});
}

TEST_CASE("nonsense, nothing, zero, negative and huge sizes are refused with a reason") {
  for (const char* text :
       {"", "x", "3x", "x3", "3x-5", "0x4", "-3", "a", "3x5y", "3 x 5", "1x1x1x1", "99999999999x1",
        "2147483647x2147483647", "1073741825", "1073741825x1x1", "32769x1x32768", "+3x4", "3xx4"}) {
    std::string problem;
    CAPTURE(text);
    CHECK_FALSE(Size::parse(text, problem));
    CHECK_FALSE(problem.empty());
  }
}

TEST_CASE("a problem of few elements may cost a tenth") {
  CHECK(Size({256, 128}).share_of(1000) == 1000);
  CHECK(Size({121, 9}).share_of(1000) == 1000);
  CHECK(Size({31, 7}).share_of(1000) == 100);
  CHECK(Size({1}).share_of(1000) == 100);
}
