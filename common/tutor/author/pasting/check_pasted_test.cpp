#include "tutor/author/pasting/check_pasted.h"

#include <doctest/doctest.h>

#include "tutor/command.h"
#include "tutor/course/course_fixture.h"
#include "tutor/system/failure.h"
#include "tutor/system/has_part.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;
using test::CourseFixture;

using test::has;

// The findings with this source of the chapter: failures, "what: why" one per line, and the matrix.
struct Looked {
  explicit Looked(const CourseFixture& fixture) {
    PastedRungs pasted;
    const Course course = read_course(fixture.root);
    pasted.add(course.chapters.back(), course.chapters.back().exercises);
    pasted.look(fixture.context, [&](std::size_t done, std::size_t all) {
      CHECK(done == ++told);
      CHECK(all >= done);
    });
    for (const CheckItem& item : pasted.items()) {
      const Finding finding = item.look();
      if (finding.result == Finding::Result::passed) continue;
      failures += item.subject + " " + item.what + ": " + finding.why + "\n";
    }
    matrix = pasted.matrix();
  }
  Looked(const CourseFixture& fixture, const std::string& source)
      : Looked((fixture.write(fixture.root / "chapters/ch09_try/ladder.cu", source), fixture)) {}

  std::string failures, matrix;
  std::size_t told = 0;  ///< files that were judged
};

TEST_CASE("a rung that is rejected is a letter") {
  const CourseFixture fixture;
  const auto letter = [&](const std::string& answer) {
    const Looked looked(fixture, CourseFixture::rung(answer));
    CHECK(looked.failures.empty());
    const std::size_t row = looked.matrix.find("  rung ");
    REQUIRE(row != std::string::npos);
    return looked.matrix[looked.matrix.find('\n', row) - 1];
  };
  CHECK(letter(R"({"verdict":"wrong result"})") == 'w');
  CHECK(letter(R"({"verdict":"diagnosed","kind":"race"})") == 'd');
  CHECK(letter(R"({"verdict":"gate"})") == 'g');
  CHECK(letter(R"({"verdict":"signature"})") == 's');
}

TEST_CASE("a rung that passes is a failure of the exercise, with the learner's file") {
  const CourseFixture fixture;
  const Looked looked(fixture, CourseFixture::rung(R"({"verdict":"pass"})"));
  CHECK(has(looked.failures, "ch09_try/01_try no rung passes: rung passes: "));
  CHECK(has(looked.failures, "rung_1.cu"));
  CHECK(has(looked.matrix, "1 pastes: 1 fit, 0 do not; P 1 PASSES"));
  CHECK(looked.told == 1);
  CHECK(check_command(fixture.context, "") == status_wrong);
  CHECK(check_command(fixture.context, "01") == status_wrong);
}

TEST_CASE("what does not fit needs no compiler") {
  const CourseFixture fixture;
  const Looked looked(fixture, "__global__ void rung(const int* x) { SYNTAX }\n");
  CHECK(looked.failures.empty());
  CHECK(has(looked.matrix, "1 pastes: 0 fit, 1 do not; - 1 does not fit"));
}

TEST_CASE("a paste that compiles nowhere proves nothing") {
  const CourseFixture fixture;
  const Looked looked(fixture, "__global__ void rung() { SYNTAX }\n");
  CHECK(has(looked.failures, "ch09_try rungs to paste: rung compiles in no exercise"));
  CHECK(has(looked.matrix, "c 1 does not compile"));
}

TEST_CASE("a check that says nothing is a failure") {
  const CourseFixture fixture;
  for (const char* answer : {"garbage", R"({"verdict":"something new"})"}) {
    const Looked looked(fixture, CourseFixture::rung(answer));
    CHECK(has(looked.failures, "rung was not judged: "));
    CHECK(has(looked.matrix, "? 1 not judged"));
  }
}

TEST_CASE("no rung, or no kernel to paste it into, is a failure") {
  const CourseFixture fixture;
  fs::remove(fixture.root / "chapters/ch09_try/ladder.cu");
  CHECK(Looked(fixture).failures.empty());
  CHECK(check_command(fixture.context, "") == status_wrong);
  // A chapter with a program times kernels.
  fixture.write(fixture.root / "chapters/ch09_try/main.cu", "int main() {}\n");
  CHECK(has(Looked(fixture).failures, "ch09_try rungs to paste: no rung was found"));
  fixture.write(fixture.exercise.frame, "void f() {\n// BEGIN YOUR CODE\n// END YOUR CODE\n}\n");
  CHECK(has(Looked(fixture, "__global__ void k() {}\n").failures, "its frame has no kernel"));
  // Plain C++ asks for none.
  fixture.write(fixture.exercise.check, "#include \"check/arithmetic.h\"\n");
  const Looked looked(fixture, "__global__ void k() {}\n");
  CHECK(looked.failures.empty());
  CHECK(has(looked.matrix, "- 1 does not fit"));
}

}  // namespace
}  // namespace warpwise::tutor
