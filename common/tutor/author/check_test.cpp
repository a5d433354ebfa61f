#include "tutor/author/check.h"

#include <doctest/doctest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "tutor/command.h"
#include "tutor/course/course_fixture.h"
#include "tutor/course/state.h"
#include "tutor/system/failure.h"
#include "tutor/system/has_part.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;
using test::CourseFixture;

// The failures, as "item: why", one per line.
std::string failures(const CourseFixture& fixture) {
  const Course course = read_course(fixture.root);
  REQUIRE(course.chapters.size() >= 1);
  const Chapter& chapter = course.chapters.back();
  REQUIRE(chapter.exercises.size() >= 1);
  std::vector<CheckItem> items = paper_items(chapter, chapter.exercises[0]);
  for (auto& item : judged_items(fixture.context, chapter.exercises[0])) items.push_back(item);
  items.push_back(stray_item(course));
  std::string text;
  for (const CheckItem& item : items) {
    Finding finding;
    try {
      finding = item.look();
    } catch (const std::exception& error) {
      finding = {Finding::Result::failed, error.what()};
    }
    if (finding.result == Finding::Result::failed) text += item.what + ": " + finding.why + "\n";
    if (finding.result == Finding::Result::skipped) CHECK(item.what == "solution on a GPU");
  }
  return text;
}

using test::has;

TEST_CASE("a sound exercise passes; a missing GPU is a skip") {
  const CourseFixture fixture;
  CHECK(failures(fixture) == "");
  CHECK(check_command(fixture.context, "") == status_ok);
  CHECK(check_command(fixture.context, "01") == status_ok);
  CHECK_THROWS_AS(check_command(fixture.context, "ch08"), Failure);
}

TEST_CASE("a finding is reported before all are found, and in the order of the items") {
  std::mutex mutex;
  std::condition_variable told;
  std::string lines;
  bool in_time = true;
  const auto wait_for = [&](const std::string& line) {
    std::unique_lock lock(mutex);
    in_time &= told.wait_for(lock, std::chrono::seconds(20), [&] { return has(lines, line); });
    return Finding{Finding::Result::failed, "why\n"};
  };
  std::vector<CheckItem> items{{"one", "first", [] { return Finding{}; }}};
  items.push_back({"one", "second", [&] { return wait_for("ok      one  first\n"); }});
  items.push_back({"two", "third", [] { return Finding{Finding::Result::skipped, ""}; }});
  const Tally tally = look_at_all(items, [&](const std::string& line) {
    const std::lock_guard lock(mutex);
    lines += line;
    told.notify_all();
  });
  CHECK(in_time);
  CHECK(lines == "ok      one  first\nFAILED  one  second: why\nskipped two  third\n");
  CHECK(tally.text() == "1 passed, 1 failed, 1 skipped");
}

TEST_CASE("each missing piece is named") {
  for (const fs::path Exercise::*piece :
       {&Exercise::check, &Exercise::task, &Exercise::learner, &Exercise::frame,
        &Exercise::explanation, &Exercise::mistakes}) {
    const CourseFixture fixture;
    fs::remove(fixture.exercise.*piece);
    CHECK(has(failures(fixture), "six files: missing: " + shown(fixture.exercise.*piece)));
  }
}

TEST_CASE("a stub that is not its frame is found, with the line") {
  const CourseFixture fixture;
  fixture.write(fixture.exercise.learner,
                lesson::make_stub(CourseFixture::solution()) + "// more\n");
  CHECK(has(failures(fixture), "01_try.cu:6: is not the stub of its solution"));
  // A solved stub is worse: it would show the solution.
  fixture.write(fixture.exercise.learner, CourseFixture::solution());
  CHECK(has(failures(fixture), "is not \"not solved yet\""));
}

TEST_CASE("a solution must compile and pass with all gates") {
  const CourseFixture fixture;
  const auto with = [&](const std::string& blank) {
    const std::string text = "// BEGIN YOUR CODE\n" + blank + "\n// END YOUR CODE\n";
    fixture.write(fixture.exercise.frame, text);
    fixture.write(fixture.exercise.learner, lesson::make_stub(text));
    return failures(fixture);
  };
  CHECK(with("int a;\n//verdict {\"verdict\":\"pass\"}") == "");
  CHECK(has(with("int SYNTAX;"), "solution: does not compile without warnings"));
  CHECK(has(with("int a;\n//verdict {\"verdict\":\"wrong result\"}"), "verdict 'wrong result'"));
  CHECK(has(with("int a;\n//verdict {\"verdict\":\"pass\",\"gates\":[{\"name\":\"sectors\","
                 "\"saw\":64.0,\"at_most\":32,\"met\":false}]}"),
            "misses a gate: sectors: 64, not at most 32"));
  CHECK(has(with("int a;\n//verdict garbage"), "solution: the check's answer is not readable"));
  CHECK(has(with("int CRASH;\n//verdict {\"verdict\":\"pass\"}"), "could not judge (status 139)"));
}

TEST_CASE("a mistake that lives or dies of something else is found") {
  const CourseFixture fixture;
  const auto with = [&](const std::string& members, const std::string& line) {
    fixture.write(fixture.exercise.mistakes,
                  "//= bad: is bad\n//verdict " + fixture.verdict(members) + "\n" + line + "\n");
    return failures(fixture);
  };
  CHECK(has(with(R"("verdict":"pass")", "int a;  // expect: race"),
            "mistake bad: passes, should die of race"));
  CHECK(has(with(R"("verdict":"diagnosed","kind":"race","line":2)", "int a;  // expect: race"),
            "mistake bad: dies at "));
  CHECK(has(with(R"("verdict":"diagnosed","kind":"deadlock","line":3)", "int a;  // expect: race"),
            "mistake bad: dies of deadlock"));
  CHECK(has(with(R"("verdict":"pass")", "int SYNTAX;  // expect: race"),
            "mistake bad: does not compile"));
  CHECK(has(with(R"("verdict":"pass")", "int a;"), "mistakes: "));
  fixture.write(fixture.exercise.mistakes, "// none\n");
  CHECK(has(failures(fixture), "mistakes: there is none"));
}

TEST_CASE("a given bug passes its author's test, and its explanation links a report") {
  const CourseFixture fixture;
  const auto with = [&](const std::string& answer, const std::string& link) {
    fixture.write(fixture.exercise.mistakes, "//= as_given: is bad\n//verdict " +
                                                 fixture.verdict(answer) +
                                                 "\nint a;  // expect: race\n");
    fixture.write(fixture.exercise.learner, stub_of(fixture.exercise));
    std::string words;
    for (int i = 0; i < 40; ++i) words += "word ";
    fixture.write(fixture.exercise.explanation, words + link);
    return failures(fixture);
  };
  const std::string race = R"("verdict":"diagnosed","kind":"race","line":3)";
  const std::string kind = race + R"(,"author_test":"64")";
  CHECK(with(kind, "https://example.org/report") == "");
  CHECK(has(with(race, "https://example.org/report"), "as_given: fails the author's own test"));
  CHECK(has(with(kind, "a report"), "explanation: "));
  fixture.write(fixture.exercise.learner, lesson::make_stub(CourseFixture::solution()));
  CHECK(has(failures(fixture), "is not the stub of its solution"));
}

TEST_CASE("hints, explanation and README are wanted") {
  const CourseFixture fixture;
  fixture.write(fixture.exercise.task, "# Task\n\n## Hint 1\n\na\n\n## Hint 2\n\n## Hint 3\n\nc\n");
  CHECK(has(failures(fixture), "three hints: "));
  fixture.write(fixture.exercise.explanation, "Obvious.\n");
  CHECK(has(failures(fixture), "explanation: "));
  fixture.write(fixture.root / "chapters/ch09_try/README.md", "# Chapter 9\n");
  CHECK(has(failures(fixture), "README: "));
}

TEST_CASE("stray files and folders are named") {
  const CourseFixture fixture;
  for (const char* stray : {"exercises/ch09_try/notes.txt", "exercises/ch09_try/01_try.cu~",
                            "exercises/readme.md", "solutions/ch09_try/mistakes/01_try.md",
                            "solutions/ch77_gone/01_a.cu", "chapters/ch09_try/checks/a.out"}) {
    fixture.write(fixture.root / stray, "x\n");
    CHECK(has(stray_item(read_course(fixture.root)).look().why,
              fs::path(stray).begin()->string() == "solutions" && has(stray, "ch77")
                  ? "ch77_gone"
                  : fs::path(stray).filename().string()));
    fs::remove(fixture.root / stray);
    fs::remove(fixture.root / "solutions/ch77_gone");
  }
  CHECK(failures(fixture) == "");
}

TEST_CASE("no exercise at all is a failure") {
  const CourseFixture fixture;
  for (const char* top : {"exercises", "solutions", "chapters/ch09_try/checks"}) {
    fs::remove_all(fixture.root / top);
  }
  CHECK(check_command(fixture.context, "") == status_wrong);
  fs::remove_all(fixture.root / "chapters");
  CHECK_THROWS_AS(check_command(fixture.context, ""), Failure);
}

}  // namespace
}  // namespace warpwise::tutor
