#include "tutor/kind.h"

#include <doctest/doctest.h>

#include "tutor/course_fixture.h"
#include "tutor/failure.h"
#include "tutor/mistakes.h"

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
  fixture.write(fixture.context.build / "image_flags/program.txt", "-shared  -x c++\n");
  CHECK(image_flags(fixture.context, "program") ==
        std::vector<std::string>{"-shared", "-x", "c++"});
  CHECK_THROWS_AS(image_flags(fixture.context, "arithmetic"), Failure);
}

TEST_CASE("a host mistake needs no line, one in its own text has to be the right one") {
  const CourseFixture fixture;
  fixture.write(fixture.exercise.mistakes, "//= bad: is bad\nint a;  // expect: leak\n");
  const lesson::Mistake mistake = read_mistakes(fixture.exercise).at(0);
  Verdict verdict{.verdict = "diagnosed", .kind = "leak"};
  const auto why = [&] { return difference(fixture.exercise, mistake, verdict); };
  CHECK(why() != "");
  fixture.write(fixture.exercise.check, "#include \"lesson/program.h\"\n");
  CHECK(why() == "");
  verdict.file = fixture.exercise.mistakes.string();
  verdict.line = 7;
  CHECK(why() != "");
  verdict.line = 2;
  CHECK(why() == "");
}

}  // namespace
}  // namespace warpwise::tutor
