#include "tutor/attempt/architecture.h"

#include <doctest/doctest.h>

namespace warpwise::tutor {
namespace {

TEST_CASE("an architecture is added once, an older one with its PTX") {
  CHECK(with_architecture("90", 90) == "90");
  CHECK(with_architecture("90", 75) == "90;75");
  CHECK(with_architecture("90;75", 75) == "90;75");
  CHECK(with_architecture("90;75-real", 75) == "90;75-real;75");
  CHECK(with_architecture("90", 100) == "90;100-real");
  CHECK(with_architecture("90;100-real", 100) == "90;100-real");
  CHECK(with_architecture("90", 70) == "90");
}

TEST_CASE("the GPU is read from a chapter's flags") {
  CHECK_FALSE(gpu_flag({}));
  CHECK_FALSE(gpu_flag({"--only", "x", "--gpu"}));
  CHECK(gpu_flag({"--gpu", "t4"}) == "t4");
  CHECK(gpu_flag({"--gpu=a100", "--gpu", "t4"}) == "t4");
  CHECK(gpu_flag({"--gpu=a100"}) == "a100");
}

}  // namespace
}  // namespace warpwise::tutor
