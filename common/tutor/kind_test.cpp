#include "tutor/kind.h"

#include <doctest/doctest.h>

#include "tutor/course_fixture.h"
#include "tutor/failure.h"

namespace warpwise::tutor {
namespace {

using test::CourseFixture;

TEST_CASE("the kind is the header that the check includes") {
  const CourseFixture fixture;
  CHECK(kind_of(fixture.exercise) == "exercise");
  fixture.write(fixture.exercise.check, "#include <vector>\n#include \"lesson/program.h\"\n");
  CHECK(kind_of(fixture.exercise) == "program");
  fixture.write(fixture.exercise.check, "#include \"lesson/arithmetic.h\"\n");
  CHECK(kind_of(fixture.exercise) == "arithmetic");
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

}  // namespace
}  // namespace warpwise::tutor
