#include "tutor/course/tally.h"

#include <doctest/doctest.h>

namespace warpwise::tutor {
namespace {

constexpr const char* output = R"(Internal ctest changing into directory: /b
test 1
    Start 1: image

1: Test command: /b/test_image
2: unrelated 12 | 3
1: [doctest] test cases:  5 |  5 passed | 0 failed | 1 skipped
1/4 Test #1: image ............................   Passed    0.05 sec
2: image_test.cpp:12: ERROR: CHECK( a == b ) is NOT correct!
2: [doctest] test cases:  7 |  5 passed | 2 failed | 0 skipped
2/4 Test #2: memory ...........................***Failed    0.01 sec
3: [doctest] test cases:  9 |  9 passed | 0 failed | 0 skipped
3/4 Test #3: machine ..........................***Exception: SegFault  0.01 sec
4/4 Test #4: plain ............................   Passed    0.01 sec
5: skipped: there is nothing to test
5/5 Test #5: absent ...........................***Skipped   0.01 sec

75% tests passed, 1 tests failed out of 4
)";

TEST_CASE("cases are added up; a program that crashed failed one at least") {
  const TestSummary summary = read_ctest(output);
  CHECK(summary.tally.passed == 5 + 5 + 9 + 1);
  CHECK(summary.tally.failed == 2 + 1);
  CHECK(summary.tally.skipped == 1 + 1);
  CHECK(summary.tally.text() == "20 passed, 3 failed, 2 skipped");
}

TEST_CASE("failures are shown whole, what passed is not") {
  const TestSummary summary = read_ctest(output);
  CHECK(summary.failures.find("== memory failed\nunrelated 12 | 3\nimage_test.cpp:12: ERROR") !=
        std::string::npos);
  CHECK(summary.failures.find("SegFault") != std::string::npos);
  CHECK(summary.failures.find("absent") == std::string::npos);
  CHECK(summary.failures.find("== image") == std::string::npos);
}

TEST_CASE("no output is not a test") {
  CHECK(read_ctest("").tally.text() == "0 passed, 0 failed");
  CHECK(read_ctest("1/1 Test #").tally.text() == "0 passed, 0 failed");
  CHECK(read_ctest("1: [doctest] test cases:").tally.text() == "0 passed, 0 failed");
}

}  // namespace
}  // namespace warpwise::tutor
