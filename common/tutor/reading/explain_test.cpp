#include "tutor/reading/explain.h"

#include <doctest/doctest.h>

#include "tutor/attempt/difference.h"
#include "tutor/course/course_fixture.h"
#include "tutor/course/progress.h"
#include "tutor/system/failure.h"
#include "tutor/system/has_part.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;

struct Learner : test::CourseFixture {
  Learner() {
    write(exercise.explanation,
          "# 01_try: the explanation\n\nBecause.\n\n## For the instructor\n\nSecret.\n");
    write(exercise.learner, mine);
  }
  std::string mine = "__global__ void f() {\n// BEGIN YOUR CODE\nint mine;\n// END YOUR CODE\n}\n";
  void solve() {
    update_progress(context, [&](Progress& progress) {
      progress.exercises[exercise.id()].text = text_hash(read_file(exercise.learner));
      progress.exercises[exercise.id()].verdict = "pass";
    });
  }
  std::string text() { return explanation_text(context, exercise); }
};

using test::has;

TEST_CASE("nothing is explained before it is solved; what was solved once stays explained") {
  Learner learner;
  const auto refusal = [&learner]() -> std::string {
    try {
      return "explained: " + learner.text();
    } catch (const Failure& failure) {
      CHECK(failure.status == status_wrong);
      return failure.message;
    }
  };
  CHECK(has(refusal(), "comes when it is solved"));
  CHECK(has(refusal(), "./learn run ch09_try/01_try"));
  learner.solve();
  CHECK(has(refusal(), "explained"));
  Learner::write(learner.exercise.learner, learner.mine + "int more;\n");
  CHECK(has(refusal(), "Because"));
  Learner other;
  Learner::write(other.exercise.learner, lesson::make_stub(Learner::solution()));
  CHECK_THROWS_WITH_AS(other.text(), doctest::Contains("./learn hint ch09_try/01_try"), Failure);
}

TEST_CASE("the explanation comes without the instructor's note, the blanks side by side") {
  Learner learner;
  learner.solve();
  const std::string text = learner.text();
  CHECK(has(text, "  Because.\n"));
  CHECK_FALSE(has(text, "Secret"));
  CHECK_FALSE(has(text, "instructor"));
  CHECK(has(text, "int mine; | int right;\n"));
  CHECK_FALSE(has(text, "void f()"));
}

TEST_CASE("where a bug was to be found, the given program is shown next to the repaired one") {
  Learner learner;
  Learner::write(learner.exercise.mistakes, "//= as_given: bad\nint wrong;  // expect: race\n");
  learner.solve();
  CHECK(has(learner.text(), "as given"));
  CHECK(has(learner.text(), "int wrong; | int right;\n"));
  CHECK(has(learner.text(), "int mine; | int right;\n"));
}

TEST_CASE("with another frame all of both texts is compared") {
  Learner learner;
  learner.mine = "__global__ void f() {\nint mine;\n}\n";
  Learner::write(learner.exercise.learner, learner.mine);
  learner.solve();
  CHECK(has(learner.text(), "__global__ void f() {"));
}

TEST_CASE("a text that is the solution is reported as such") {
  Learner learner;
  Learner::write(learner.exercise.learner, "// by me\n" + Learner::solution());
  learner.solve();
  CHECK(has(learner.text(), "are the same"));
}

TEST_CASE("in an exported course the solution is not there, and the text says so") {
  Learner learner;
  learner.solve();
  fs::remove_all(learner.root / "solutions");
  Learner::write(learner.root / "chapters/ch09_try/pristine/01_try.cu",
                 lesson::make_stub(Learner::solution()));
  learner.exercise = exercise_files(learner.root, "ch09_try", "01_try");
  CHECK(has(learner.text(), "without solutions and explanations"));
  Learner::write(learner.root / "chapters/ch09_try/pristine/01_try.md", "# Why\n\nBecause.\n");
  CHECK(has(learner.text(), "Because."));
  CHECK(has(learner.text(), "without solutions;"));
}

TEST_CASE("lines that are the same are on one row, changed ones side by side") {
  CHECK(differences_text("l", "a\nb\nc\n", "r", "a\nx\ny\nc\n", 80) ==
        "l   r\n-   -\na   a\nb | x\n  > y\nc   c\n");
  CHECK(differences_text("l", "a\nb\n", "r", "b\n", 80) == "l   r\n-   -\na <\nb   b\n");
}

TEST_CASE("where two columns do not fit, they are below each other, and nothing is wider") {
  const std::string long_line(30, 'x');
  const std::string text = differences_text("l", "same\nold\n", "r", "same\n" + long_line, 20);
  CHECK(text == "--- l\n+++ r\n  same\n- old\n+ " + long_line.substr(0, 18) + "\n+ " +
                    long_line.substr(18) + "\n");
  CHECK(differences_text("l", "", "r", "  two words\n  x\n", 12) ==
        "--- l\n+++ r\n+ two words\n+ x\n");
  CHECK(has(differences_text("l", "same\nold\n", "r", "same\n" + long_line, 37), "old  | xxx"));
}

TEST_CASE("tabs and control characters do not break the columns") {
  const std::string text = differences_text("l", "\ta\x1b[2J\n", "r", "    a[2J\n", 80);
  CHECK(text == "l      r\n----   ----\na[2J   a[2J\n");
}

TEST_CASE("texts of many thousand lines are compared in time") {
  std::string left, right;
  for (int i = 0; i < 20'000; ++i) {
    left += std::to_string(i) + "\n";
    right += std::to_string(-i) + "\n";
  }
  CHECK(line_differences(left, right).size() == 2 * 20'000 - 1);
}

}  // namespace
}  // namespace warpwise::tutor
