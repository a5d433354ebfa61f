#include "tutor/grade/assignment.h"

#include <doctest/doctest.h>

#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace assignment_test {

using namespace std::chrono_literals;

Course course() {
  Course course{"/course", {}};
  for (const char* chapter : {"ch01_first", "ch02_second"}) {
    Chapter made{chapter, {}, false, {}};
    for (const char* name : {"01_one", "02_two"}) {
      made.exercises.push_back(exercise_files("/course", chapter, name));
    }
    course.chapters.push_back(made);
  }
  return course;
}

Assignment parsed(const std::string& text) { return parse_assignment(text, "a", course()); }

std::string refusal(const std::string& text) {
  try {
    parsed(text);
  } catch (const Failure& failure) {
    CHECK(failure.status == status_usage);
    return failure.message;
  }
  return "accepted";
}

TEST_CASE("lines name exercises, chapters, points and settings") {
  const Assignment assignment = parsed(
      "# A comment\ntitle Week 1: grids\ndeadline 2026-11-30T23:59Z  # sharp\nlate 10\n"
      "shares compiles 5 clean 15 right 50 good 30\n\nch01/02 3.5\nch02\n");
  CHECK(assignment.title == "Week 1: grids");
  REQUIRE(assignment.tasks.size() == 3);
  CHECK(assignment.tasks[0].exercise.id() == "ch01_first/02_two");
  CHECK(assignment.tasks[0].points == 3.5);
  CHECK(assignment.tasks[2].exercise.id() == "ch02_second/02_two");
  CHECK(assignment.points() == 5.5);
  CHECK(assignment.shares.clean == 15);
  CHECK(assignment.late_percent == 10);
  CHECK(assignment.deadline == std::chrono::sys_days(2026y / 11 / 30) + 23h + 59min);
}

TEST_CASE("JSON says the same") {
  const Assignment assignment = parsed(
      R"( {"title": "T", "deadline": "2026-11-30 23:59+01:00", "late_percent_per_day": 5,
          "shares": {"right": 100},
          "exercises": ["ch01/01", {"name": "ch02", "points": 2}]})");
  CHECK(assignment.tasks.size() == 3);
  CHECK(assignment.points() == 5);
  CHECK(assignment.shares.right == 100);
  CHECK(assignment.shares.good == 0);
  CHECK(assignment.deadline == std::chrono::sys_days(2026y / 11 / 30) + 22h + 59min);
}

TEST_CASE("what is wrong is said with its place") {
  CHECK(refusal("") == "a: no exercise is named");
  CHECK(refusal("ch01/01\nch01/01\n") == "a:2: ch01_first/01_one is named a second time");
  CHECK(refusal("ch01\nch01/02") == "a:2: ch01_first/02_two is named a second time");
  CHECK(refusal("ch09/01").starts_with("a:1: "));
  CHECK(refusal("ch01/01 many") == "a:1: points wants a number that is not negative, not 'many'");
  CHECK(refusal("ch01/01 -1").starts_with("a:1: points wants"));
  CHECK(refusal("ch01/01 nan").starts_with("a:1: points wants"));
  CHECK(refusal("ch01/01 1 2").starts_with("a:1: '2' is too much"));
  CHECK(refusal("shares right 50\nch01/01") ==
        "a: the shares of the stages are 50 % together, not 100 %");
  CHECK(refusal("shares perfect 100\nch01/01").starts_with("a:1: 'perfect' is not a stage"));
  CHECK(refusal("shares right\nch01/01").starts_with("a:1: shares wants pairs"));
  CHECK(refusal("deadline tomorrow\nch01/01").starts_with("a:1: deadline wants"));
  CHECK(refusal("late 101\nch01/01").starts_with("a: late takes"));
  CHECK(refusal("{").starts_with("a: is not JSON"));
  CHECK(refusal("{}") == "a: no exercise is named");
  CHECK(refusal(R"({"exercise": []})").starts_with("a: \"exercise\" is none of"));
  CHECK(refusal(R"({"exercises": 3})") == "a: \"exercises\" wants a list");
  CHECK(refusal(R"({"exercises": [3]})").starts_with("a: exercises[0]: wants a name"));
  CHECK(refusal(R"({"exercises": [{"name": "ch01", "point": 3}]})") ==
        "a: exercises[0]: unknown key \"point\"");
}

TEST_CASE("times are read as people write them, and no day that does not exist") {
  const auto noon = std::chrono::sys_days(2026y / 2 / 28) + 12h;
  CHECK(parse_time("2026-02-28 12:00Z") == noon);
  CHECK(parse_time("2026-02-28T12:00:30Z") == noon + 30s);
  CHECK(parse_time("2026-02-28T07:00-05:00") == noon);
  CHECK(parse_time("2026-02-28 12:00").has_value());
  for (const char* text : {"", "2026-02-29 12:00Z", "2026-13-01 12:00Z", "2026-02-28", "noon",
                           "2026-02-28 24:00Z", "2026-02-28 12:00 o'clock", "2026-02-28x12:00Z"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_time(text).has_value());
  }
}

TEST_CASE("an assignment that is not UTF-8 is refused before anything is judged") {
  try {
    parsed(
        "title \xdc"
        "bung\nch01/01");
    FAIL_CHECK("read");
  } catch (const Failure& failure) {
    CHECK(failure.message.find("is not UTF-8: save it as UTF-8") != std::string::npos);
  }
}

TEST_CASE("each day begun after the deadline takes its part") {
  Assignment assignment = parsed("deadline 2026-02-28 12:00Z\nlate 30\nch01/01");
  const auto deadline = *assignment.deadline;
  CHECK(percent_when(assignment, deadline) == 100);
  CHECK(percent_when(assignment, deadline + 1s) == 70);
  CHECK(percent_when(assignment, deadline + 24h) == 70);
  CHECK(percent_when(assignment, deadline + 25h) == 40);
  CHECK(percent_when(assignment, deadline + 240h) == 0);
  CHECK(percent_when(assignment, std::nullopt) == 100);
}

}  // namespace assignment_test
}  // namespace warpwise::tutor
