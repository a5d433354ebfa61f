#include "lesson/gate.h"

#include <doctest/doctest.h>

using namespace warpwise::lesson;

namespace {

LineCounts loads(unsigned line, double sectors, bool compiled = true) {
  return {.file = "k.cu",
          .line = line,
          .access = "global load",
          .requests = 10,
          .sectors = sectors,
          .compiled = compiled};
}

const Gate sectors{.name = "sectors",
                   .what = "sectors loaded for each row",
                   .access = "global load",
                   .measure = Measure::sectors,
                   .per = 10,
                   .at_least = 16,
                   .at_most = 32,
                   .mistake = "chunks"};

}  // namespace

TEST_CASE("a gate is met inside its limits and names the worst line") {
  CHECK(judge(sectors, {loads(3, 160), loads(5, 160)}).met);
  CHECK(judge(sectors, {loads(3, 160)}).met);
  const GateResult missed = judge(sectors, {loads(3, 160), loads(5, 640)});
  CHECK_FALSE(missed.met);
  CHECK(missed.saw == doctest::Approx(80));
  CHECK(missed.line == 5);
  CHECK(missed.wanted() == "16 to 32");
}

TEST_CASE("a gate wants the accesses to be there, of its own kind") {
  CHECK_FALSE(judge(sectors, {}).met);
  LineCounts stores = loads(3, 320);
  stores.access = "global store";
  CHECK_FALSE(judge(sectors, {stores}).met);
  Gate both = sectors;
  both.access = "global";
  CHECK(judge(both, {stores}).met);
}

TEST_CASE("unconfirmed accesses are there but are never too much") {
  const GateResult result = judge(sectors, {loads(3, 160), loads(5, 6400, false)});
  CHECK(result.met);
  CHECK_FALSE(result.confirmed);
  CHECK_FALSE(judge(sectors, {loads(3, 330), loads(5, 10, false)}).met);
}

TEST_CASE("bank conflicts are wavefronts beyond the ideal") {
  const Gate gate{.name = "conflicts",
                  .what = "bank conflicts",
                  .access = "shared",
                  .measure = Measure::bank_conflicts,
                  .at_most = 0};
  LineCounts line{.file = "k.cu",
                  .line = 2,
                  .access = "shared load",
                  .requests = 8,
                  .wavefronts = 8,
                  .ideal_wavefronts = 8,
                  .compiled = true};
  CHECK(judge(gate, {line}).met);
  line.wavefronts = 9;
  CHECK_FALSE(judge(gate, {line}).met);
  CHECK(judge(gate, {line}).wanted() == "none");
}

TEST_CASE("a gate on resident warps is of the whole launch and has no line") {
  const Gate gate{.name = "warps",
                  .what = "resident warps of an SM",
                  .measure = Measure::resident_warps,
                  .at_least = 64};
  CHECK(judge(gate, 64.0).met);
  const GateResult few = judge(gate, 63.0);
  CHECK_FALSE(few.met);
  CHECK(few.saw == 63);
  CHECK(few.line == 0);
  CHECK(few.wanted() == "at least 64");
}

TEST_CASE("a number of the whole launch is divided as a count is") {
  const Gate gate{.name = "products",
                  .what = "products for each step",
                  .measure = Measure::matrix_products,
                  .per = 64,
                  .at_least = 1};
  CHECK(is_of_launch(gate.measure));
  CHECK_FALSE(is_of_launch(Measure::beside_copies));
  CHECK(judge(gate, 64.0).met);
  CHECK(judge(gate, 64.0).saw == 1);
  CHECK_FALSE(judge(gate, 63.0).met);
}
