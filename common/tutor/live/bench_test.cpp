#include "tutor/live/bench.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tutor/course/course_fixture.h"
#include "tutor/course/progress.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace {

using test::CourseFixture;

TEST_CASE("a quantile is a value that was measured") {
  CHECK(quantile({}, 0.5) == 0);
  CHECK(quantile({3}, 0.95) == 3);
  CHECK(quantile({3, 1, 2}, 0.5) == 2);
  CHECK(quantile({4, 1, 3, 2}, 0.5) == 2);
  std::vector<double> values;
  for (int i = 1; i <= 20; ++i) values.push_back(i);
  CHECK(quantile(values, 0.95) == 19);
  CHECK(quantile(values, 1) == 20);
}

Latency latency(const char* kind, std::vector<double> total, const char* verdict = "pass") {
  return {"ch01/01", kind, std::move(total), {0.5, 0.75, 0.25}, 0.25, 0.5, verdict};
}

TEST_CASE("targets are of a kind's own, of the median and of the slowest") {
  const auto missed = [](const std::vector<Latency>& latencies) {
    bool result = false;
    latency_text(latencies, result);
    return result;
  };
  CHECK_FALSE(missed({latency("exercise", {0.9, 0.9, 1.9})}));
  CHECK(missed({latency("exercise", {0.9, 1.1, 1.9})}));
  CHECK(missed({latency("exercise", {0.9, 0.9, 2.1})}));
  CHECK_FALSE(missed({latency("program", {1.9, 1.9, 3.9})}));
  CHECK(missed({latency("program", {1.9, 1.9, 4.1})}));
  CHECK(missed({latency("arithmetic", {2.1})}));
  CHECK(missed({latency("exercise", {0.5}, "wrong result")}));
}

TEST_CASE("the JSON has each save and each kind") {
  const auto json = nlohmann::json::parse(
      latency_json({latency("exercise", {1, 2, 3}), latency("program", {4})}));
  CHECK(json["exercises"][0]["seconds"] == std::vector<double>{1, 2, 3});
  CHECK(json["kinds"].size() == 2);
  CHECK(json["kinds"][0]["median_s"] == 2);
  CHECK(json["kinds"][0]["processor_median_s"] == 0.5);
  CHECK(json["cores"] > 0);
}

TEST_CASE("it measures saves of the solution and touches nothing of the learner's") {
  const CourseFixture fixture;
  const std::string mine = "int mine;\n";
  fixture.write(fixture.exercise.learner, mine);
  fixture.write(fixture.context.build / "simulator/x", "");
  CHECK(bench_command(fixture.context, {.only = "", .rounds = 2, .json = false}) == status_ok);
  CHECK(read_file(fixture.exercise.learner) == mine);
  CHECK_FALSE(std::filesystem::exists(progress_file(fixture.context)));
  CHECK_FALSE(std::filesystem::exists(fixture.context.build / "exercises"));
  fixture.write(
      fixture.exercise.frame,
      "__global__ void f() {\n// BEGIN YOUR CODE\nint a;\n//verdict {\"verdict\":\"gate\"}\n"
      "// END YOUR CODE\n}\n");
  CHECK(bench_command(fixture.context, {.only = "01_try", .rounds = 1, .json = true}) ==
        status_wrong);
}

TEST_CASE("without what recording needs nothing is built, and the reason is reported") {
  CourseFixture course;
  Context context = course.context;
  context.make = [](const Context&, const std::vector<std::string>&) { FAIL("built"); };
  const auto script = context.root / "docs" / "results" / "record_all";
  std::filesystem::create_directories(script.parent_path());
  std::ofstream(script) << "#!/bin/sh\n[ \"$1\" = --check ] && echo 'no GPU' >&2\nexit 3\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  try {
    record_command(context);
  } catch (const Failure& failure) {
    CHECK(failure.status == status_environment);
    CHECK(failure.message == "no GPU");
  }
}

}  // namespace
}  // namespace warpwise::tutor
