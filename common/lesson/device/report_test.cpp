#include "report/report.h"

#include <doctest/doctest.h>

#include "lesson/device/error.h"
#include "lesson/device/stand_in.h"

using namespace warpwise::lesson;

TEST_CASE("a report of the simulator is read") {
  const auto launches = parse_report(R"json({"device": "NVIDIA H200 (simulated)", "launches": [{
    "kernel": "k(float*)", "mangled": "_Z1kPf", "grid": [2,1,1], "block": [32,1,1],
    "counters": {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": 8,
                 "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 32,
                 "warpwise__shared_bank_conflicts_op_ld": 7},
    "lines": [{"file": "k.cu", "line": 3, "access": "global load", "requests": 8, "sectors": 32,
               "loads_in_flight": 4, "confirmed": true}],
    "diagnoses": [{"kind": "out-of-bounds", "severity": "error", "message": "m", "file": "k.cu",
                   "line": 4, "block": [1,0,0], "thread": [31,0,0], "count": 2}],
    "faulted": true}]})json");
  REQUIRE(launches.size() == 1);
  const LaunchReport& launch = launches[0];
  CHECK(launch.kernel == "k(float*)");
  CHECK(launch.faulted);
  CHECK(launch.counts.sectors_per_load() == 4.0);
  CHECK_FALSE(launch.counts.sectors_per_store());
  CHECK(launch.counts.bank_conflicts() == 7);
  REQUIRE(launch.counts.lines.size() == 1);
  CHECK(launch.counts.lines[0].confirmed);
  CHECK(launch.counts.lines[0].loads_in_flight == 4);
  REQUIRE(launch.diagnoses.size() == 1);
  CHECK(launch.diagnoses[0].is_error());
  CHECK(launch.diagnoses[0].thread == Index3{31, 0, 0});
}

TEST_CASE("counts of several launches add up, line by line") {
  Counts counts;
  counts.counters = {{counter::load_requests, 8}, {counter::load_sectors, 32}};
  counts.lines = {{"x.cu", 3, "global load", 8, 32, 8, 8, true}};
  Counts other;
  other.counters = {{counter::load_requests, 2}, {counter::store_requests, 5}};
  other.lines = {{"x.cu", 3, "global load", 2, 8, 2, 2, false},
                 {"x.cu", 3, "global store", 5, 20, 5, 5, true}};
  counts.lines[0].loads_in_flight = 4;
  other.lines[0].loads_in_flight = 1;
  counts.add(other);
  CHECK(counts.value(counter::load_requests) == 10);
  CHECK(counts.value(counter::load_sectors) == 32);
  CHECK(counts.value(counter::store_requests) == 5);
  REQUIRE(counts.lines.size() == 2);
  CHECK(counts.lines[0].requests == 10);
  CHECK(counts.lines[0].sectors == 40);
  CHECK(counts.lines[0].loads_in_flight == 4);
  CHECK_FALSE(counts.lines[0].confirmed);
  CHECK(counts.lines[1].requests == 5);
}

TEST_CASE("a text that is not a report stops with a sentence") {
  for (const char* text : {"", "{", "[]", "{}", "3", R"({"launches": 3})",
                           R"({"launches": [{"counters": {"a": "b"}}]})",
                           R"({"launches": [{"diagnoses": [{"block": [1]}]}]})"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_report(text), Stop);
  }
  CHECK(parse_report(R"({"launches": []})").empty());
}

TEST_CASE("without the simulator a report is missing, and nothing breaks") {
  CHECK_FALSE(simulator_present());
  CHECK(take_report().empty());
  set_budget(1);
  name_array(nullptr, "x");
}
