#include "tutor/reading/docs_packages.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace warpwise::tutor {
namespace {

TEST_CASE(
    "packages are installed after a yes, given before or at the terminal, and by root alone") {
  for (const bool has_terminal : {false, true}) {
    CHECK(permission(true, true, has_terminal) == Permission::install);
    for (const bool is_allowed : {false, true}) {
      CHECK(permission(false, is_allowed, has_terminal) == Permission::name);
    }
  }
  CHECK(permission(true, false, true) == Permission::ask);
  CHECK(permission(true, false, false) == Permission::name);
}

TEST_CASE("the reference needs no package that the course does not") {
  const auto course = missing_packages(false), api = missing_packages(true);
  for (const std::string& name : api) {
    CHECK(std::find(course.begin(), course.end(), name) != course.end());
  }
}

}  // namespace
}  // namespace warpwise::tutor
