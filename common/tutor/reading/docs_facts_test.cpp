#include "tutor/reading/docs_facts.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "occupancy/gpu_table.h"
#include "tutor/course/course_fixture.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace {

using nlohmann::json;

TEST_CASE("the GPU table as JSON: every row, its numbers and its source") {
  const json gpus = json::parse(gpus_json());
  REQUIRE(gpus.size() == occupancy::gpu_table().size());
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const occupancy::Gpu& gpu = occupancy::gpu_table()[i];
    CHECK(gpus[i]["id"] == gpu.id);
    CHECK(gpus[i]["memory_gbps"] == gpu.memory_gbps);
    CHECK(gpus[i]["warps_per_sm"] == gpu.warps_per_sm);
    CHECK(gpus[i]["facts"].back()["value"] == gpu.source);
  }
}

TEST_CASE("an exercise as JSON: its stub is empty, its mistakes are those of the file") {
  const test::CourseFixture fixture;
  const json course = json::parse(course_json(read_course(fixture.root)));
  const json& exercise = course["chapters"][0]["exercises"][0];
  CHECK(exercise["id"] == "ch09_try/01_try");
  CHECK(exercise["stub"].get<std::string>().find("int right;") == std::string::npos);
  CHECK(exercise["solution"].get<std::string>().find("int right;") != std::string::npos);
  REQUIRE(exercise["mistakes"].size() == 1);
  CHECK(exercise["mistakes"][0]["name"] == "bad");
  CHECK(exercise["mistakes"][0]["description"] == "is bad");
  CHECK(exercise["mistakes"][0]["expectation"] == "race");
  CHECK(exercise["mistakes"][0]["text"].get<std::string>().find("int wrong;") != std::string::npos);
}

TEST_CASE("a solution without its blank is named") {
  const test::CourseFixture fixture;
  test::CourseFixture::write(fixture.exercise.frame, "void f() {}\n");
  try {
    course_json(read_course(fixture.root));
    FAIL("accepted");
  } catch (const Failure& failure) {
    CHECK(failure.status == status_wrong);
    CHECK(failure.message.find("01_try.cu: ") != std::string::npos);
  }
}

}  // namespace
}  // namespace warpwise::tutor
