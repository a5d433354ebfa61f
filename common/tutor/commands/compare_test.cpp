#include "tutor/commands/compare.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tutor/author/recorded_solution.h"
#include "tutor/commands/view.h"
#include "tutor/course/course_fixture.h"
#include "tutor/system/failure.h"
#include "tutor/system/has_part.h"

namespace warpwise::tutor {
namespace {

using test::CourseFixture;

using test::has;

// A check's answer with so many sectors for 10 requests.
std::string answer(const std::string& verdict, int sectors, const std::string& size = "7x33") {
  return R"({"verdict":")" + verdict + R"(","kind":"race","counted_size":")" + size +
         R"(","counts":{"counters":{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum":10,)"
         R"("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum":)" +
         std::to_string(sectors) + R"(}},"gates":[{"name":"sectors","saw":)" +
         std::to_string(sectors) +
         R"(,"at_least":40,"at_most":40,"met":true,"mistake":"bad"}],"occupancy":{"registers":12,"blocks":8}})";
}

std::string source(const std::string& blank) {
  return "__global__ void f() {\n// BEGIN YOUR CODE\n" + blank + "\n// END YOUR CODE\n}\n";
}

// A course whose solution loads 40 sectors, and what a learner has written.
struct Compared : CourseFixture {
  explicit Compared(const std::string& yours) {
    write(exercise.frame, source("int right;\n//verdict " + answer("pass", 40)));
    write(exercise.learner,
          yours.empty() ? lesson::make_stub(read_file(exercise.frame)) : source(yours));
  }
  std::string text() const { return compare_text(context, exercise); }
};

TEST_CASE("yours next to the solution, and in one sentence what differs") {
  const Compared both("int a;\n//verdict " + answer("pass", 160));
  const std::string text = both.text();
  CHECK(has(text, "sectors of each                      16              4\n"));
  CHECK(has(text, "sectors (40)                        160             40\n"));
  CHECK(has(text, "registers of a thread                12             12\n"));
  CHECK(has(text, "Both are right. Yours has global loads: 16 sectors of each, not 4."));
  const Compared same("int a;\n//verdict " + answer("pass", 40));
  CHECK(has(same.text(), "Both are right, and nothing that is counted differs."));
}

TEST_CASE("a stub, a text that does not compile, and a wrong answer are also compared") {
  CHECK(has(Compared("").text(), "Yours is not solved yet: there is nothing to count yet."));
  CHECK(has(Compared("int SYNTAX;").text(), "Yours does not compile"));
  CHECK(has(Compared("int a;\n//verdict " + answer("diagnosed", 9, "1")).text(),
            "Yours is not right yet (race); its counts are not of the same size."));
}

TEST_CASE("the same as JSON") {
  const Compared both("int a;\n//verdict " + answer("gate", 160));
  const auto json = nlohmann::json::parse(compare_json(both.context, both.exercise));
  CHECK(json["yours"]["verdict"] == "missed gate");
  CHECK(json["solution"]["verdict"] == "pass");
  CHECK(json["differences"].size() == 1);
  CHECK(json["counts"][1]["yours"] == 16.0);
}

TEST_CASE("without its source the solution's record is used") {
  Compared both("int a;\n//verdict " + answer("pass", 160));
  const std::string with_source = both.text();
  const std::filesystem::path record = both.folder.path() / "recorded.json";
  both.write(record, record_solution(both.context, both.exercise));
  both.exercise.recorded = record;
  const RecordedSolution read = recorded_solution(both.exercise);
  CHECK(read.solution.verdict == "pass");
  CHECK(read.mistakes.at("bad").description == "is bad");
  // The stub takes the place of the solution, as in an exported course.
  both.write(both.exercise.frame, lesson::make_stub(read_file(both.exercise.frame)));
  both.exercise.exported = true;
  CHECK(both.text() == with_source);
  both.write(record, "{}");
  CHECK_THROWS_AS(recorded_solution(both.exercise), Failure);
}

TEST_CASE("a view of what cannot be judged says why, and chapters have none") {
  const Compared open("");
  CHECK(has(view_text(open.context, open.exercise), "not solved yet"));
  CHECK(view_command(open.context, "01_try") == status_wrong);
  CHECK_THROWS_AS(view_command(open.context, "ch09"), Failure);
  CHECK_THROWS_AS(compare_command(open.context, "ch09", false), Failure);
}

}  // namespace
}  // namespace warpwise::tutor
