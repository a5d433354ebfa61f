#include "tutor/author/export.h"

#include <doctest/doctest.h>

#include "tutor/author/recorded_solution.h"
#include "tutor/commands/compare.h"
#include "tutor/commands/reset.h"
#include "tutor/course/course_files.h"
#include "tutor/course/course_fixture.h"
#include "tutor/course/state.h"
#include "tutor/reading/explain.h"
#include "tutor/reading/hint.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;

struct Instructor : test::CourseFixture {
  Instructor() {
    write(exercise.explanation,
          "# Why\n\nBecause.\n\n## For the instructor\n\nSecret note.\n\n## More\n\nSecret too.\n");
    write(root / "CMakeLists.txt", "project(warpwise VERSION 4.2 LANGUAGES CXX)\n");
    write(root / "learn", "#!/bin/sh\n");
    fs::permissions(root / "learn", fs::perms::owner_all);
    write(root / "common/tool.cpp", "int tool;\n");
    write(root / "docs/teaching/ch09.md", "Secret answers.\n");
    write(root / "common/verification/cheats/steal.cheat", "Secret trick.\n");
    write(root / "build/object.o", "built");
    write(root / ".git/config", "history");
    write(root / ".progress", "mine");
    write(root / ".kept/ch09_try/01_try.1.cu", "mine");
    write(exercise.learner, "int solved_by_the_instructor;\n");
  }
  fs::path out = folder.path() / "out";
  Exercise copied() const { return exercise_files(out, "ch09_try", "01_try"); }
  void run(const ExportOptions& options = {}) const { export_course(context, out, options); }
  int status_of(const fs::path& to, const ExportOptions& options = {}) const {
    try {
      export_course(context, to, options);
      return status_ok;
    } catch (const Failure& failure) {
      return failure.status;
    }
  }
};

// Whether any file below a folder holds a text.
bool holds(const fs::path& folder, const std::string& text) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && read_file(entry.path()).find(text) != std::string::npos) {
      return true;
    }
  }
  return false;
}

TEST_CASE("an exported course has no solution, no mistake, no note and no history") {
  const Instructor instructor;
  instructor.run();
  for (const char* secret : {"int right", "int wrong", "is bad", "Secret", "Because", "built",
                             "history", "mine", "solved_by_the_instructor"}) {
    CAPTURE(secret);
    CHECK_FALSE(holds(instructor.out, secret));
  }
  CHECK_FALSE(fs::exists(instructor.out / "solutions"));
  CHECK(read_file(instructor.out / "common/tool.cpp") == "int tool;\n");
  CHECK((fs::status(instructor.out / "learn").permissions() & fs::perms::owner_exec) !=
        fs::perms::none);
}

TEST_CASE("in an exported course states, hints, resets and counts are there") {
  Instructor instructor;
  instructor.run();
  const Exercise exercise = instructor.copied();
  REQUIRE(exercise.exported);
  Context context = instructor.context;
  context.root = instructor.out;
  CHECK(state({}, exercise) == "not solved yet");
  CHECK(next_hint(context, exercise)->number == 1);
  Instructor::write(exercise.learner, "int mine;\n");
  CHECK(state({}, exercise) == "edited");
  CHECK(read_file(reset_to_stub(context, exercise)) == "int mine;\n");
  CHECK(state({}, exercise) == "not solved yet");
  CHECK(recorded_solution(exercise).solution.verdict == "pass");
  CHECK(compare_text(context, exercise).find("pass") != std::string::npos);
}

TEST_CASE("explanations go along when asked for, up to the instructor's section") {
  const Instructor instructor;
  instructor.run({.solutions = false, .explanations = true});
  const std::string text = read_file(instructor.copied().explanation);
  CHECK(text.find("Because.") != std::string::npos);
  CHECK(text.find("nstructor") == std::string::npos);
  CHECK_FALSE(holds(instructor.out, "Secret"));
  CHECK_FALSE(holds(instructor.out, "int right"));
}

TEST_CASE("the instructor's copy has everything but what was edited and built") {
  const Instructor instructor;
  instructor.run({.solutions = true, .explanations = false});
  CHECK_FALSE(instructor.copied().exported);
  CHECK(read_file(instructor.copied().frame) == Instructor::solution());
  CHECK(fs::exists(instructor.copied().mistakes));
  CHECK(holds(instructor.out, "Secret note"));
  CHECK(holds(instructor.out, "Secret answers"));
  CHECK(state({}, instructor.copied()) == "not solved yet");
  CHECK_FALSE(holds(instructor.out, "history"));
}

TEST_CASE("an export writes down what it is, and can be exported again") {
  Instructor instructor;
  instructor.run();
  const auto record = read_course_record(instructor.out);
  REQUIRE(record);
  CHECK(record->course.version == "4.2");
  CHECK(record->files.at("common/tool.cpp") == text_hash("int tool;\n"));
  CHECK(record->files.count("exercises/ch09_try/01_try.cu") == 1);
  Context again = instructor.context;
  again.root = instructor.out;
  const fs::path second = instructor.folder.path() / "second";
  export_course(again, second, {});
  CHECK(exercise_files(second, "ch09_try", "01_try").exported);
  CHECK(read_file(second / course_record_file) == read_file(instructor.out / course_record_file));
  CHECK_THROWS_AS(export_course(again, instructor.folder.path() / "third", {.solutions = true}),
                  Failure);
}

TEST_CASE("an export goes to a new folder outside of the checkout, whole or not at all") {
  const Instructor instructor;
  CHECK(instructor.status_of(instructor.root / "out") == status_usage);
  CHECK(instructor.status_of(instructor.root) == status_usage);
  Instructor::write(instructor.out / "other", "");
  CHECK(instructor.status_of(instructor.out) == status_usage);
  fs::remove(instructor.out / "other");
  Instructor::write(
      instructor.exercise.frame,
      "__global__ void f() {\n// BEGIN YOUR CODE\n//verdict {\"verdict\":\"wrong result\"}\n"
      "// END YOUR CODE\n}\n");
  CHECK(instructor.status_of(instructor.folder.path() / "failed") == status_wrong);
  CHECK_FALSE(fs::exists(instructor.folder.path() / "failed"));
  for (const auto& entry : fs::directory_iterator(instructor.folder.path())) {
    CHECK_FALSE(entry.path().filename().string().starts_with("failed"));
  }
}

}  // namespace
}  // namespace warpwise::tutor
