#include "report/gate.h"

#include <doctest/doctest.h>

using namespace warpwise::report;

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
  CHECK_FALSE(is_of_launch(Measure::during_copies));
  CHECK(judge(gate, 64.0).met);
  CHECK(judge(gate, 64.0).saw == 1);
  CHECK_FALSE(judge(gate, 63.0).met);
}

TEST_CASE("loads in flight are those of the line with most requests") {
  const Gate gate{.name = "flight",
                  .what = "loads in flight",
                  .access = "global load",
                  .measure = Measure::loads_in_flight,
                  .at_least = 4};
  const auto line = [](unsigned number, double requests, double in_flight) {
    LineCounts counts = loads(number, 0, false);
    counts.requests = requests;
    counts.loads_in_flight = in_flight;
    return counts;
  };
  CHECK(judge(gate, {line(3, 10, 1), line(5, 20, 4)}).met);
  CHECK(judge(gate, {line(5, 20, 4), line(3, 10, 1)}).met);
  const GateResult missed = judge(gate, {line(3, 10, 4), line(5, 20, 3), line(7, 5, 4)});
  CHECK_FALSE(missed.met);
  CHECK(missed.saw == 3);
  CHECK(missed.line == 5);
  CHECK(missed.confirmed);
  // Of lines with equally many requests the one that has fewest in flight decides.
  CHECK(judge(gate, {line(3, 10, 4), line(5, 10, 1), line(7, 10, 4)}).line == 5);
  CHECK_FALSE(judge(gate, {}).met);
  LineCounts store = line(3, 10, 4);
  store.access = "global store";
  CHECK_FALSE(judge(gate, {store}).met);
  CHECK_FALSE(is_of_launch(gate.measure));
  CHECK(announcement(gate) == "at least 4 loads in flight per thread");
}

TEST_CASE("participation is a count over one array") {
  const Gate gate{.name = "threads",
                  .what = "threads that store an element",
                  .access = "global store",
                  .measure = Measure::threads,
                  .at_least = 64,
                  .array = "y"};
  CHECK_FALSE(is_of_launch(gate.measure));
  ArrayCounts y{.array = "y", .access = "global store", .requests = 2, .threads = 64};
  const ArrayCounts decoy{.array = "", .access = "global store", .threads = 640};
  CHECK(judge(gate, {}, {decoy, y}).met);
  y.threads = 63;
  const LineCounts line{.file = "k.cu", .line = 7, .access = "global store", .requests = 2};
  const GateResult missed = judge(gate, {line}, {decoy, y});
  CHECK_FALSE(missed.met);
  CHECK(missed.saw == 63);
  CHECK(missed.line == 7);
  CHECK_FALSE(judge(gate, {}, {decoy}).met);
}

TEST_CASE("the busiest thread may not do too much") {
  const Gate gate{.name = "share",
                  .what = "stores of the thread that makes most of them",
                  .access = "global store",
                  .measure = Measure::most_of_thread,
                  .at_least = 1,
                  .at_most = 2,
                  .array = "y"};
  CHECK(judge(gate, {}, {{.array = "y", .access = "global store", .most_of_thread = 2}}).met);
  CHECK_FALSE(judge(gate, {}, {{.array = "y", .access = "global store", .most_of_thread = 3}}).met);
  CHECK_FALSE(
      judge(gate, {}, {{.array = "y", .access = "global atomic", .most_of_thread = 1}}).met);
}

TEST_CASE("a gate that names an array counts its accesses alone") {
  const Gate gate{.name = "x",
                  .what = "sectors of x",
                  .access = "global load",
                  .measure = Measure::sectors,
                  .per = 10,
                  .at_least = 2,
                  .at_most = 2,
                  .array = "x"};
  LineCounts line;
  line.access = "global load";
  line.sectors = 500;
  line.compiled = true;
  const ArrayCounts w{.array = "w", .access = "global load", .sectors = 480};
  const auto with = [&](double sectors) {
    return judge(gate, {line}, {{.array = "x", .access = "global load", .sectors = sectors}, w});
  };
  CHECK(with(20).met);
  CHECK(with(20).saw == 2);
  CHECK_FALSE(with(30).met);
  CHECK_FALSE(with(10).met);
}

TEST_CASE("accesses to other memory than the check's arrays are not enough") {
  const ArrayCounts x{.array = "x", .access = "global load", .sectors = 80};
  const ArrayCounts decoy{.array = "", .access = "global load", .sectors = 80};
  CHECK(judge(sectors, {loads(3, 160)}, {x}).met);
  const GateResult missed = judge(sectors, {loads(3, 160)}, {x, decoy});
  CHECK_FALSE(missed.met);
  CHECK(missed.saw == 8);
}

TEST_CASE("atomics in global memory are refused unless a gate counts them, compiled or not") {
  const std::vector<Gate> implied = with_implied({sectors});
  REQUIRE(implied.size() == 2);
  LineCounts atomics = loads(4, 3, false);
  atomics.access = "global atomic";
  CHECK(judge(implied[1], {loads(3, 160)}).met);
  CHECK_FALSE(judge(implied[1], {atomics}).met);
  CHECK(with_implied(implied).size() == 2);
}

TEST_CASE("each gate has words for the task, and the same words are said once") {
  CHECK(announcement(std::vector<Gate>{}).empty());
  Gate stores = sectors;
  stores.access = "global store";
  const Gate none{.name = "shared", .what = "accesses", .access = "shared", .at_most = 0};
  CHECK(announcement(with_implied({sectors, stores, none})) ==
        "Also checked: whole sectors; no shared memory; no atomics in global memory.");
  Gate own = none;
  own.announced = "shuffles alone";
  CHECK(announcement(own) == "shuffles alone");
}
