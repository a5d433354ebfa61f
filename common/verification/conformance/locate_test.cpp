#include "verification/conformance/locate.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdlib>

#include "verification/conformance/wrong_executor.h"

namespace warpwise::conformance {
namespace {

TEST_CASE("a divergence is found at the instruction that differs, with what it read and gave") {
  const Palette palette({"popc.b32", "add.s32", "mul.lo.s32", "xor.b32", "setp.lt.s32"});
  auto machine = simulator();
  WrongExecutor wrong;
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Program program = random_program(seed, palette);
    auto divergence = diverges(program, *machine, wrong);
    if (!divergence) continue;
    ++found;
    const std::string& unit = program.units[divergence->unit].text;
    CHECK_MESSAGE(unit.find("popc.b32") != std::string::npos, unit);
    CHECK(divergence->threads > 0);
    std::string text = describe(*divergence, program, *machine);
    std::size_t source = unit.find(", ", unit.find("popc.b32")) + 2;
    if (unit[source] != '%' || unit[unit.find("popc.b32") - 1] != ' ' ||
        unit.find('@') != unit.npos)
      continue;
    std::string name = unit.substr(source + 1, 2), result;
    std::size_t at = text.find(" " + name + "=");
    REQUIRE_MESSAGE(at != std::string::npos, text);
    auto value = static_cast<std::uint32_t>(std::strtoull(&text[at + 4], nullptr, 16));
    CHECK_MESSAGE(divergence->one == static_cast<unsigned>(std::popcount(value)), text);
    CHECK(divergence->other != divergence->one);
  }
  CHECK(found >= 5);
  CHECK_FALSE(diverges(random_program(1, palette), *machine, *machine));
}

}  // namespace
}  // namespace warpwise::conformance
