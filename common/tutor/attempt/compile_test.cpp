#include "tutor/attempt/compile.h"

#include <doctest/doctest.h>

#include "tutor/course/course_fixture.h"

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

TEST_CASE("an answer that an older GPU cannot run is compiled for the others") {
  test::CourseFixture course;
  course.script(course.context.nvcc, R"(case "$*" in *compute_75*) echo "error: old"; exit 1;; esac
while [ "$1" != -o ]; do shift; done
echo made > "$2")");
  const auto image = course.folder.path() / "image";
  const auto compiles = [&](const char* flags) {
    course.write(course.context.build / "image_flags/exercise.txt", flags);
    return compile_image(course.context, course.exercise, course.exercise.frame, image).ok;
  };
  CHECK(compiles("-gencode\narch=compute_90,code=sm_90\n-gencode\narch=compute_75,code=sm_75"));
  CHECK(compiles("-gencode\narch=compute_90,code=sm_90"));
  CHECK_FALSE(compiles("-gencode\narch=compute_75,code=sm_75"));
}

}  // namespace
