#include "tutor/course/names.h"

#include <doctest/doctest.h>

#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace names_test {

Chapter chapter(const std::string& name, const std::vector<std::string>& exercises) {
  Chapter result{name, {}, true, {}};
  for (const std::string& exercise : exercises) {
    result.exercises.push_back(exercise_files("/course", name, exercise));
  }
  return result;
}

const Course& course() {
  static const Course result{
      "/course",
      {chapter("ch02_coalescing", {"01_copy", "02_lane_order"}),
       chapter("ch05_warp_reduce", {"01_lane_sum", "02_row_max", "11_last"})}};
  return result;
}

std::string found(std::string_view name) {
  const Found result = find(course(), name);
  return result.exercise != nullptr ? result.exercise->id() : result.chapter->name;
}

std::string complaint(std::string_view name) {
  try {
    return "found " + found(name);
  } catch (const Failure& failure) {
    CHECK(failure.status == status_usage);
    return failure.message;
  }
}

TEST_CASE("a name may be the id or any part of it that is unambiguous") {
  CHECK(found("ch05_warp_reduce") == "ch05_warp_reduce");
  CHECK(found("ch05") == "ch05_warp_reduce");
  CHECK(found("coalescing") == "ch02_coalescing");
  CHECK(found("lane_sum") == "ch05_warp_reduce/01_lane_sum");
  CHECK(found("ch05/lane") == "ch05_warp_reduce/01_lane_sum");
  CHECK(found("05/02") == "ch05_warp_reduce/02_row_max");
}

TEST_CASE("a beginning wins over a part inside") {
  // "1" is also inside "11_last", "ch05/1" begins it.
  CHECK(found("ch05/1") == "ch05_warp_reduce/11_last");
  CHECK(found("ch05/01") == "ch05_warp_reduce/01_lane_sum");
}

TEST_CASE("paths of files and folders are names") {
  CHECK(found("chapters/ch05_warp_reduce/") == "ch05_warp_reduce");
  CHECK(found("exercises/ch05_warp_reduce/01_lane_sum.cu") == "ch05_warp_reduce/01_lane_sum");
  CHECK(found("./exercises/ch02_coalescing/01_copy.cu") == "ch02_coalescing/01_copy");
  CHECK(found("/home/a/exercises/ch02_coalescing/01_copy.cu") == "ch02_coalescing/01_copy");
  CHECK(found("chapters/ch05_warp_reduce/checks/02_row_max.md") == "ch05_warp_reduce/02_row_max");
  CHECK(found("solutions/ch05_warp_reduce/mistakes/02_row_max.cu") ==
        "ch05_warp_reduce/02_row_max");
}

TEST_CASE("several matches are listed, instead of a guess") {
  CHECK(complaint("lane") ==
        "'lane' may mean ch02_coalescing/02_lane_order, ch05_warp_reduce/01_lane_sum: give more of "
        "the name");
}

TEST_CASE("an unknown name brings the nearest ones") {
  CHECK(complaint("lane_sun")
            .starts_with("unknown name 'lane_sun'; the nearest: ch05_warp_reduce/01_lane_sum"));
  CHECK(complaint("ch5_warp_reduse")
            .starts_with("unknown name 'ch5_warp_reduse'; the nearest: ch05_warp_reduce"));
  // As far from ch02 as from ch05: what is left out of "ch05/2x" makes either.
  CHECK(complaint("ch05/2x").starts_with("unknown name 'ch05/2x'; the nearest: ch05_warp_reduce"));
  CHECK(complaint("").starts_with("unknown name ''"));
  CHECK(complaint("/").starts_with("unknown name '/'"));
}

TEST_CASE("where one exercise is wanted, a chapter's name brings its exercises") {
  CHECK(find_exercise(course(), "lane_sum").id() == "ch05_warp_reduce/01_lane_sum");
  try {
    find_exercise(course(), "ch05");
    CHECK(false);
  } catch (const Failure& failure) {
    CHECK(failure.status == status_usage);
    CHECK(failure.message.find("ch05_warp_reduce/01_lane_sum") != std::string::npos);
  }
}

TEST_CASE("a hostile name is shown short and without control characters") {
  CHECK(complaint("\x1b[31mred").starts_with("unknown name '?[31mred'"));
  CHECK(complaint(std::string(100000, 'x')).size() < 300);
}

}  // namespace names_test
}  // namespace warpwise::tutor
