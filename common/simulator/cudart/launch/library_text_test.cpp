#include "simulator/cudart/launch/library_text.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "simulator/cudart/report/failure.h"

namespace warpwise::cudart {
namespace {

bool is_accepted(const char* version, unsigned target) {
  try {
    check_head(fmt::format(".version {}\n.target sm_{}\n.address_size 64\n", version, target), 90);
  } catch (const Failure&) {
    return false;
  }
  return true;
}

}  // namespace

TEST_CASE("each target is accepted from the version on from which ptxas accepts it") {
  constexpr struct {
    unsigned target;
    const char *first, *one_before;
  } seen[] = {{20, "2.3", "2.2"}, {30, "3.0", "2.3"}, {32, "4.0", "3.2"}, {35, "3.1", "3.0"},
              {37, "4.1", "4.0"}, {50, "4.0", "3.2"}, {52, "4.1", "4.0"}, {53, "4.2", "4.1"},
              {60, "5.0", "4.3"}, {61, "5.0", "4.3"}, {70, "6.0", "5.0"}, {72, "6.1", "6.0"},
              {75, "6.3", "6.2"}, {80, "7.0", "6.5"}, {90, "7.8", "7.7"}};
  for (const auto& one : seen) {
    CAPTURE(one.target);
    CHECK(is_accepted(one.first, one.target));
    CHECK_FALSE(is_accepted(one.one_before, one.target));
  }
}

}  // namespace warpwise::cudart
