#include "check/recorded_time.h"

#include <doctest/doctest.h>

namespace warpwise::lesson {
namespace {

TEST_CASE("a chapter without a record has no time") {
  CHECK_FALSE(recorded_solution_us("no chapter", "NVIDIA H200", "64x3"));
  CHECK_FALSE(recorded_solution_us("ch99_none/01_x", "NVIDIA H200", "64x3"));
}

}  // namespace
}  // namespace warpwise::lesson
