#include "tutor/reading/hint.h"

#include <doctest/doctest.h>

#include "tutor/course/course_fixture.h"
#include "tutor/course/progress.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace hint_test {

// The fixture's task has three hints; the second is about a race.
struct Learner : test::CourseFixture {
  void diagnosed(const std::string& kind) {
    update_progress(context, [&](Progress& progress) {
      progress.exercises[exercise.id()].text = text_hash("text");
      progress.exercises[exercise.id()].verdict = "diagnosed";
      progress.exercises[exercise.id()].kind = kind;
    });
  }
  // The number of the next hint; 0: none.
  int next() {
    const auto hint = next_hint(context, exercise);
    return hint ? hint->number : 0;
  }
};

TEST_CASE("hints come in their order, each once, and that is remembered") {
  Learner learner;
  const auto first = next_hint(learner.context, learner.exercise);
  REQUIRE(first);
  CHECK(first->number == 1);
  CHECK(first->of == 3);
  CHECK(first->text == "a\n");
  CHECK(learner.next() == 2);
  CHECK(learner.next() == 3);
  CHECK(learner.next() == 0);
  CHECK(learner.next() == 0);
  CHECK(read_progress(learner.context).exercises[learner.exercise.id()].hints ==
        std::vector<int>{1, 2, 3});
}

TEST_CASE("the hint about the last diagnosis comes before all others") {
  Learner learner;
  SUBCASE("at once") {
    learner.diagnosed("race");
    const auto hint = next_hint(learner.context, learner.exercise);
    REQUIRE(hint);
    CHECK(hint->kind == "race");
    CHECK(learner.next() == 1);
    CHECK(learner.next() == 3);
    CHECK(learner.next() == 0);
  }
  SUBCASE("also after another was shown") {
    CHECK(learner.next() == 1);
    learner.diagnosed("race");
    CHECK(learner.next() == 2);
  }
  SUBCASE("but not for another diagnosis") {
    learner.diagnosed("out-of-bounds");
    CHECK(learner.next() == 1);
  }
}

TEST_CASE("a heading without a text and another section are not hints") {
  Learner learner;
  Learner::write(learner.exercise.task, "# Task\n\n## Hint\n\n## Other\n\nx\n\n## Hint 2\n\ny\n");
  const auto hints = hints_of(learner.exercise);
  REQUIRE(hints.size() == 1);
  CHECK(hints[0].text == "y\n");
  CHECK(hints[0].number == 1);
}

TEST_CASE("without a name it is the exercise the learner was at, else the first open one") {
  Learner learner;
  const Course course = read_course(learner.root);
  CHECK(current_exercise(learner.context, course).id() == learner.exercise.id());
  update_progress(learner.context, [&](Progress& progress) { progress.current = "ch00/gone"; });
  CHECK(current_exercise(learner.context, course).id() == learner.exercise.id());
  Learner::write(learner.exercise.learner, Learner::solution());
  update_progress(learner.context, [&](Progress& progress) {
    progress.exercises[learner.exercise.id()].text = text_hash(Learner::solution());
    progress.exercises[learner.exercise.id()].verdict = "pass";
  });
  CHECK_THROWS_AS(current_exercise(learner.context, course), Failure);
}

}  // namespace hint_test
}  // namespace warpwise::tutor
