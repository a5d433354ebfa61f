#include "tutor/grade/grade.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tutor/course/course_fixture.h"
#include "tutor/grade/grade_report.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;
using test::CourseFixture;

/// A class whose compiler and check are small scripts.
struct Class {
  Class() {
    CourseFixture::write(fixture.context.runner(), "");
    fs::permissions(fixture.context.runner(), fs::perms::owner_all);
    hand_in("passes", R"(//verdict {"verdict":"pass"})");
    hand_in("misses", R"(//verdict {"verdict":"gate","kind":"sectors","message":"so","line":3})");
    hand_in("idle", R"(//verdict {"verdict":"gate","kind":"launches","message":"so"})");
    hand_in("wrong",
            R"(//verdict {"verdict":"wrong result","message":"1 of 2 <are> wrong\nmore"})");
    hand_in("races", R"(//verdict {"verdict":"diagnosed","kind":"race","message":"so","line":4})");
    hand_in("broken", "int SYNTAX;");
    hand_in("cheats", "#include \"x\"");
    hand_in("crashes", R"(//verdict {"verdict":"pass"} CRASH)");
    hand_in("open", "// Your code here.");
    make_folder(place / "=empty");
    make_folder(place / "other/exercises");
  }
  void hand_in(const std::string& name, const std::string& blank) const {
    CourseFixture::write(place / name / "exercises/ch09_try/01_try.cu",
                         "__global__ void f() {\n// BEGIN YOUR CODE\nint own;\n" + blank +
                             "\n// END YOUR CODE\n}\n");
    if (blank.starts_with("// Your")) {
      CourseFixture::write(place / name / "exercises/ch09_try/01_try.cu",
                           read_file(fixture.exercise.learner));
    }
  }
  Grading graded(const std::string& assignment) const {
    CourseFixture::write(fixture.folder.path() / "assignment", assignment);
    return grade(fixture.context, {.places = {place},
                                   .assignment = fixture.folder.path() / "assignment",
                                   .isolation = "none"});
  }

  CourseFixture fixture;
  fs::path place = fixture.folder.path() / "class";
};

const Graded& row(const Grading& grading, const std::string& name) {
  for (const Graded& candidate : grading.rows) {
    if (candidate.submission.name == name) return candidate;
  }
  throw std::runtime_error("no row " + name);
}

TEST_CASE("each stage brings its share, and nothing broken stops the others") {
  const Class at;
  const Grading grading = at.graded("shares compiles 10 clean 20 right 30 good 40\n01_try 10\n");
  const auto points = [&](const char* name) { return row(grading, name).points; };
  CHECK(points("passes") == doctest::Approx(10));
  CHECK(points("misses") == doctest::Approx(6));
  CHECK(points("idle") == doctest::Approx(3));
  CHECK(points("wrong") == doctest::Approx(3));
  CHECK(points("races") == doctest::Approx(1));
  for (const char* name : {"broken", "cheats", "crashes", "open", "=empty", "other"}) {
    CAPTURE(name);
    CHECK(points(name) == 0);
  }
  const auto verdict = [&](const char* name) { return row(grading, name).marks.at(0).verdict; };
  CHECK(verdict("broken") == "does not compile");
  CHECK(verdict("cheats") == "not accepted");
  CHECK(verdict("crashes") == "not judged");
  CHECK(verdict("open") == "not solved yet");
  CHECK(verdict("other") == "missing");
  CHECK(row(grading, "=empty").submission.problem == "is empty");
  CHECK(grading.broken.empty());
}

TEST_CASE("by default only right answers bring points") {
  const Class at;
  const Grading grading = at.graded("01_try 10");
  CHECK(row(grading, "passes").points == 10);
  CHECK(row(grading, "misses").points == 7);
  for (const char* name : {"idle", "wrong", "races", "broken"}) {
    CHECK(row(grading, name).points == 0);
  }
}

TEST_CASE("equal answers are judged once, and a late one loses its part") {
  const Class at;
  const std::size_t before = at.graded("01_try").judged;
  at.hand_in("twin", R"(//verdict {"verdict":"pass"})");
  CHECK(at.graded("01_try").judged == before);
  const Grading late = at.graded("deadline 2001-01-01 00:00\nlate 0.001\n01_try 10");
  CHECK(row(late, "passes").late());
  CHECK(row(late, "passes").points < 10);
  CHECK(row(late, "passes").points > 0);
  const Grading marked = at.graded("deadline 2001-01-01 00:00\n01_try 10");
  CHECK(row(marked, "passes").late());
  CHECK(row(marked, "passes").points == 10);
}

TEST_CASE("a solution of ours that does not pass judges no submission") {
  const Class at;
  CourseFixture::write(
      at.fixture.exercise.frame,
      "__global__ void f() {\n// BEGIN YOUR CODE\n//verdict {\"verdict\":\"wrong result\"}\n"
      "int x;\n// END YOUR CODE\n}\n");
  const Grading grading = at.graded("01_try");
  REQUIRE(grading.broken.size() == 1);
  CHECK(row(grading, "passes").marks[0].verdict == "not judged");
  CHECK(row(grading, "cheats").marks[0].verdict == "not accepted");
  CHECK(grading_table(grading).find("our own solution does not pass here") != std::string::npos);
}

TEST_CASE("the table has a row for each, and says what was wrong") {
  const Class at;
  const std::string table = grading_table(at.graded("title Try\n01_try 10"));
  for (const char* part :
       {"Try: 1 exercises, 10 points", "passes       10.00  100  G\n",
        "misses        7.00   70  R\n", "wrong         0.00    0  C\n",
        "races         0.00    0  k\n", "broken        0.00    0  .\n",
        "cheats        0.00    0  !\n", "crashes       0.00    0  ?\n",
        "open          0.00    0  -\n", "=empty        0.00    0  is empty\n",
        "cheats, ch09_try/01_try: not accepted: line 4: #include is not accepted in a blank\n"}) {
    CAPTURE(table);
    CAPTURE(part);
    CHECK(table.find(part) != std::string::npos);
  }
  const std::string summary = grading_summary(at.graded("01_try 10"));
  CHECK(summary.starts_with("11 submissions, 10 of them could be read\n"));
  CHECK(summary.find("ch09_try/01_try  10 %   20 %  10 % does not compile") != std::string::npos);
  CHECK(summary.find("10 % race") != std::string::npos);
}

TEST_CASE("JSON, JUnit and CSV hold every row, safely written") {
  const Class at;
  CourseFixture::write(at.place / "\x1b[31m\xff/exercises/x", "");
  const Grading grading = at.graded("01_try 10");
  const auto json = nlohmann::json::parse(grading_json(grading));
  CHECK(json["submissions"].size() == 12);
  CHECK(json["of"] == 10);
  const std::string junit = grading_junit(grading);
  CHECK(junit.find("<failure type=\"race\" message=\"diagnosed (race) at line 4: so\"/>") !=
        std::string::npos);
  CHECK(junit.find("1 of 2 &lt;are&gt; wrong&#10;more") != std::string::npos);
  const std::string csv = grading_csv(grading);
  CHECK(
      csv.starts_with("submission,points,of,percent that counts,handed in,problem,"
                      "ch09_try/01_try\n"));
  CHECK(csv.find("\n'=empty,0,10,100,,is empty,0\n") != std::string::npos);
  for (const std::string& text : {junit, csv, grading_table(grading)}) {
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\xff') == std::string::npos);
  }
}

TEST_CASE("a name cannot forge a row, and two submissions of one name are distinguished") {
  const Class at;
  at.hand_in("alice\nbob    1.00  100  G\xe2\x80\xae\xc2\x9b[2J\xef\xbf\xbe", "int y;");
  const std::string zip = (at.place / "passes.zip").string();
  CourseFixture::write(zip, "no archive");
  const Grading grading = at.graded("title \u00dcbung\n01_try 10");
  const std::string table = grading_table(grading);
  CAPTURE(table);
  CHECK(table.find("\nbob") == std::string::npos);
  CHECK(table.find("\nalice?bob    1.00  100  G??[2J?") != std::string::npos);
  CHECK(table.find("passes: 2 submissions have this name: passes, passes.zip; which one counts?") !=
        std::string::npos);
  CHECK(row(grading, "passes.zip").points == 0);
  for (const std::string& text :
       {grading_json(grading), grading_csv(grading), grading_junit(grading), table}) {
    for (const char* part : {"\xe2\x80\xae", "\xc2\x9b", "\xef\xbf\xbe"}) {
      CHECK(text.find(part) == std::string::npos);
    }
  }
  CHECK(nlohmann::json::parse(grading_json(grading))["same_names"].size() == 1);
}

TEST_CASE("what the report quotes of this machine may be no UTF-8") {
  const Class at;
  Grading grading = at.graded("01_try 10");
  grading.gaps.push_back("\xff");
  grading.broken.push_back("\xff\n");
  grading.assignment.title = "\xdc";
  CHECK(nlohmann::json::parse(grading_json(grading))["title"] == "\ufffd");
}

TEST_CASE("a kernel that takes too long is the answer's mistake") {
  const Class at;
  at.hand_in("endless", "int HANG;");
  CourseFixture::write(at.fixture.folder.path() / "assignment", "01_try 10");
  const Grading grading =
      grade(at.fixture.context, {.places = {at.place},
                                 .assignment = at.fixture.folder.path() / "assignment",
                                 .isolation = "none",
                                 .patience = std::chrono::milliseconds(3000)});
  const Mark& mark = row(grading, "endless").marks.at(0);
  CHECK(mark.verdict == "diagnosed");
  CHECK(mark.kind == "time-limit");
  CHECK(mark.stage == Stage::compiles);
  CHECK(row(grading, "crashes").marks.at(0).verdict == "not judged");
}

TEST_CASE("Gradescope gets one submission with its scores") {
  const Class at;
  CourseFixture::write(at.fixture.folder.path() / "assignment", "01_try 10");
  GradeOptions options{.places = {at.place / "misses"},
                       .assignment = at.fixture.folder.path() / "assignment",
                       .gradescope = at.fixture.folder.path() / "results.json",
                       .isolation = "none"};
  CHECK(grade_command(at.fixture.context, options) == status_ok);
  const auto json = nlohmann::json::parse(read_file(options.gradescope));
  CHECK(json["score"] == 7);
  REQUIRE(json["tests"].size() == 1);
  CHECK(json["tests"][0]["score"] == 7);
  CHECK(json["tests"][0]["max_score"] == 10);
  CHECK(json["tests"][0]["status"] == "failed");
  options.places = {at.place / "misses", at.place / "wrong"};
  CHECK_THROWS_AS(grade_command(at.fixture.context, options), Failure);
}

}  // namespace
}  // namespace warpwise::tutor
