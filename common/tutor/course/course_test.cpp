#include "tutor/course/course.h"

#include <doctest/doctest.h>

#include "tutor/command.h"
#include "tutor/course/course_fixture.h"
#include "tutor/course/names.h"
#include "tutor/grade/grade.h"
#include "tutor/reading/hint.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;
using test::CourseFixture;

/// A course whose instructor has an exercise more.
struct WithPrivate {
  WithPrivate() {
    const fs::path own = fixture.root / "private";
    for (const char* top : {"chapters", "exercises", "solutions"}) {
      make_folder(own / top);
      fs::copy(fixture.root / top / "ch09_try", own / top / "my01_exam",
               fs::copy_options::recursive);
    }
    CourseFixture::write(own / "chapters/my01_exam/README.md", "# Exam\n\nDo 01_try.\n");
    make_folder(fixture.context.check_program("my01_exam"));
    fs::copy(fixture.context.check_program("ch09_try/01_try"),
             fixture.context.check_program("my01_exam/01_try"));
  }
  CourseFixture fixture;
};

TEST_CASE("an exercise in private/ is listed, run, hinted, checked and graded like ours") {
  const WithPrivate with;
  const Context& context = with.fixture.context;
  const Course course = read_course(with.fixture.root);
  REQUIRE(course.chapters.size() == 2);
  CHECK_FALSE(course.chapters[0].is_private);
  CHECK(course.chapters[1].is_private);
  const Exercise exam = *find(course, "my01/01").exercise;
  CHECK(exam.learner == with.fixture.root / "private/exercises/my01_exam/01_try.cu");
  CHECK(list_text(context).find("my01_exam  Exam\n") != std::string::npos);
  CHECK_THROWS_AS(run_command(context, "my01", {}), Failure);  // It has no program.
}

TEST_CASE("private exercises are judged by the same commands") {
  const WithPrivate with;
  const Context& context = with.fixture.context;
  const Exercise exam = *find(read_course(with.fixture.root), "my01/01").exercise;
  CHECK(run_command(context, "my01/01", {}) == status_wrong);
  CHECK(next_hint(context, exam).has_value());
  // The fixture's mistake names its own file.
  std::string mistakes = read_file(exam.mistakes);
  const std::string ours = with.fixture.exercise.mistakes.string();
  mistakes.replace(mistakes.find(ours), ours.size(), exam.mistakes.string());
  CourseFixture::write(exam.mistakes, mistakes);
  CHECK(check_command(context, "my01/01") == status_ok);

  CourseFixture::write(context.runner(), "");
  fs::permissions(context.runner(), fs::perms::owner_all);
  const fs::path handed_in = with.fixture.folder.path() / "class/ann/exercises/my01_exam/01_try.cu";
  CourseFixture::write(handed_in, CourseFixture::solution());
  CourseFixture::write(with.fixture.folder.path() / "exam.txt", "my01/01 5\n");
  const Grading grading = grade(context, {.places = {with.fixture.folder.path() / "class"},
                                          .assignment = with.fixture.folder.path() / "exam.txt",
                                          .isolation = "none"});
  CHECK(grading.rows.at(0).points == 5);

  CourseFixture::write(exam.learner, CourseFixture::solution());
  CHECK(run_command(context, "my01/01", {}) == status_ok);
}

TEST_CASE("what is private stays out of what is published, and keeps its names to itself") {
  const WithPrivate with;
  CHECK(read_public_course(with.fixture.root).chapters.size() == 1);
  fs::rename(with.fixture.root / "private/chapters/my01_exam",
             with.fixture.root / "private/chapters/ch09_try");
  CHECK_THROWS_AS(read_course(with.fixture.root), Failure);
}

}  // namespace
}  // namespace warpwise::tutor
