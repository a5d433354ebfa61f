#include "tutor/compile.h"

#include <doctest/doctest.h>

#include "tutor/course_fixture.h"

using namespace warpwise;
using namespace warpwise::tutor;

namespace {

TEST_CASE("the compiler takes its memory in large pages: it needs less time for host code") {
  const test::CourseFixture course;
  course.script(course.context.nvcc, R"(while [ "$1" != -o ]; do shift; done
echo "$GLIBC_TUNABLES" > "$2")");
  const auto image = course.folder.path() / "image";
  CHECK(compile_image(course.context, course.exercise, course.exercise.frame, image).ok);
  CHECK(read_file(image) == "glibc.malloc.hugetlb=1\n");
}

}  // namespace
