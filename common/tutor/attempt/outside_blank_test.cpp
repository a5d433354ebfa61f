#include "tutor/attempt/outside_blank.h"

#include <doctest/doctest.h>

#include "tutor/course/course_fixture.h"

namespace warpwise::tutor {
namespace {

TEST_CASE("what a learner changes outside of the blank is named") {
  const test::CourseFixture fixture;
  const auto with = [&](const std::string& text) {
    fixture.write(fixture.exercise.learner, text);
    return changed_outside_blank(fixture.exercise);
  };
  const std::string begin = "// BEGIN YOUR CODE\n", end = "// END YOUR CODE\n";
  CHECK(with("__global__ void f() {\n" + begin + "a;\nb;\n" + end + "}\n") == "");
  CHECK(with("__global__ void f() {  \n" + begin + end + "}\r\n") == "");
  CHECK(with("void g() {\n" + begin + end + "}\n") ==
        "Outside of the blank, line 1 is not as in the stub.");
  CHECK(with("int x;\n__global__ void f() {\n" + begin + end + "}\n") ==
        "Outside of the blank, line 1 is not as in the stub.");
  CHECK(with("__global__ void f() {\n" + begin + end + "}\nint more;\n") ==
        "Outside of the blank, line 5 is not as in the stub.");
  CHECK(with("__global__ void f() {\n" + begin + "}\n") == "The line // END YOUR CODE is gone.");
  CHECK(with("__global__ void f() {\n" + end + "}\n") == "The line // BEGIN YOUR CODE is gone.");
  CHECK(with("__global__ void f() {\n" + begin + end) == "Lines after the blank are gone.");
  CHECK(with("") == "The line // BEGIN YOUR CODE is gone.");
}

}  // namespace
}  // namespace warpwise::tutor
