#include "report/recorded_time.h"

#include <doctest/doctest.h>

namespace warpwise::report {
namespace {

constexpr const char* record = R"({"device": {"name": "NVIDIA H200"}, "exercises": [
  {"exercise": "01_x", "whose": "yours", "judged": null, "time": null},
  {"exercise": "01_x", "whose": "solution", "judged": {"timed": {"size": "64x3"}}, "time": {"median_us": 7.5}},
  {"exercise": "02_y", "whose": "solution", "judged": {"timed": null}, "time": null}]})";

TEST_CASE("the solution's time is of the same exercise, GPU and size") {
  CHECK(solution_us_in(record, "01_x", "NVIDIA H200", "64x3") == 7.5);
  CHECK_FALSE(solution_us_in(record, "01_x", "NVIDIA T4", "64x3"));
  CHECK_FALSE(solution_us_in(record, "01_x", "NVIDIA H200", "64x4"));
  CHECK_FALSE(solution_us_in(record, "02_y", "NVIDIA H200", "64x3"));
  CHECK_FALSE(solution_us_in(record, "03_z", "NVIDIA H200", "64x3"));
}

TEST_CASE("what is no record has no time") {
  for (const char* text : {"", "[]", "{", R"({"device": null, "exercises": []})", "\xFF"}) {
    CHECK_FALSE(solution_us_in(text, "01_x", "NVIDIA H200", "64x3"));
  }
}

}  // namespace
}  // namespace warpwise::report
