#include "tutor/system/step.h"

#include <doctest/doctest.h>

#include "tutor/course/course_fixture.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace {

struct Step : test::CourseFixture {
  std::vector<std::string> said;
  std::string run(const std::string& script, int limit_ms = 20000) {
    context.on_progress = [this](const std::string& line) { said.push_back(line); };
    return run_with_progress(
        context, {.words = {"sh", "-c", script}, .limit = std::chrono::milliseconds(limit_ms)});
  }
};

TEST_CASE("lines of progress are said, the others are the answer") {
  Step step;
  CHECK(step.run("printf 'progress: one\nfirst\npro'; sleep 0.1; printf 'gress: two\nlast'") ==
        "first\nlast");
  CHECK(step.said == std::vector<std::string>{"one", "two"});
}

TEST_CASE("a step that fails says why, without its progress, and one without end is stopped") {
  Step step;
  try {
    step.run("echo progress: x; echo broken >&2; exit 3");
    FAIL("it did not fail");
  } catch (const Failure& failure) {
    CHECK(failure.status == status_wrong);
    CHECK(failure.message == "broken\n");
  }
  CHECK_THROWS_AS(step.run("sleep 20", 200), Failure);
}

}  // namespace
}  // namespace warpwise::tutor
