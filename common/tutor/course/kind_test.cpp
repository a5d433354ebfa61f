#include "tutor/course/kind.h"

#include <doctest/doctest.h>

#include "tutor/course/course_fixture.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace {

using test::CourseFixture;

TEST_CASE("an exercise without a check is device code alone") {
  const CourseFixture fixture;
  fixture.write(fixture.exercise.check, "#include <vector>\n#include \"check/program.h\"\n");
  CHECK(kind_of(fixture.exercise) == "program");
  std::filesystem::remove(fixture.exercise.check);
  CHECK(kind_of(fixture.exercise) == "exercise");
}

TEST_CASE("the flags of a kind are what the build wrote down") {
  const CourseFixture fixture;
  fixture.write(fixture.context.build / "image_flags/program.txt", "-shared\n-include\n/a b/c.h\n");
  CHECK(image_flags(fixture.context, "program") ==
        std::vector<std::string>{"-shared", "-include", "/a b/c.h"});
  CHECK_THROWS_AS(image_flags(fixture.context, "arithmetic"), Failure);
}

TEST_CASE("an inline function is found where a check would look for it") {
  CHECK(has_inline_function("constexpr int size(int n) { return n; }"));
  CHECK(has_inline_function("int a;\ninline static\nint size(int n);"));
  CHECK(has_inline_function("int f() { return 1; }\n// x\nstatic inline int g() { return f(); }"));
  CHECK_FALSE(has_inline_function("constexpr int width = (3); int f() { return width; }"));
  CHECK_FALSE(has_inline_function("int f() { constexpr int n = 3; return g(n); }"));
  CHECK_FALSE(has_inline_function("constexpr int n{3}; int f(); // inline int g()"));
}

}  // namespace
}  // namespace warpwise::tutor
