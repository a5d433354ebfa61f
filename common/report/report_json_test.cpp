#include "report/report_json.h"

#include <doctest/doctest.h>

#include "report/verdict.h"
#include "report/verdict_word.h"

using namespace warpwise::report;

namespace {

Diagnosis race() {
  Diagnosis diagnosis;
  diagnosis.kind = "race";
  diagnosis.severity = Severity::note;
  diagnosis.message = "m";
  diagnosis.file = "k.cu";
  diagnosis.line = 4;
  diagnosis.column = 5;
  diagnosis.library_file = "l.cuh";
  diagnosis.library_line = 6;
  diagnosis.called_from = {"k.cu:9"};
  diagnosis.made_file = "m.cu";
  diagnosis.made_line = 7;
  diagnosis.block = {1, 2, 3};
  diagnosis.thread = {31, 0, 1};
  diagnosis.count = 8;
  return diagnosis;
}

LaunchReport launch() {
  LaunchReport launch;
  launch.kernel = "k(float*)";
  launch.mangled = "_Z1kPf";
  launch.grid = {2, 1, 1};
  launch.block = {32, 1, 1};
  launch.registers = 9;
  launch.static_shared_bytes = 10;
  launch.dynamic_shared_bytes = 11;
  launch.counts.counters = {{"a", 1.5}};
  launch.counts.lines = {{"k.cu", 3, "global load", 8, 32, 7, 6, 5, 4, true, true}};
  launch.counts.arrays = {{"x", "global store", 1, 2, 3, 4, 5}};
  launch.diagnoses = {race()};
  launch.launch_file = "main.cu";
  launch.launch_line = 12;
  launch.launched_by = "parent";
  launch.faulted = true;
  launch.unsupported = "no row";
  return launch;
}

}  // namespace

TEST_CASE("a launch is written and read back, every member of its JSON") {
  const nlohmann::json written = launch();
  CHECK(written.size() == 16);
  CHECK(nlohmann::json(written.get<LaunchReport>()) == written);
  const LaunchReport back = written.get<LaunchReport>();
  CHECK(back.counts.lines.at(0).loads_in_flight == 4);
  CHECK(back.counts.arrays.at(0).most_of_thread == 5);
  CHECK_FALSE(back.diagnoses.at(0).is_error());
  CHECK(back.diagnoses.at(0).thread == Index3{31, 0, 1});
  CHECK(back.launched_by == "parent");
  CHECK(back.unsupported == "no row");
}

TEST_CASE("counts of a launch's lines have no fraction, those of a verdict do") {
  CHECK(nlohmann::json(launch())["lines"][0]["sectors"].dump() == "32");
  CHECK(nlohmann::json(launch())["arrays"][0]["threads"].dump() == "3");
  CHECK(nlohmann::json(launch().counts)["lines"][0]["sectors"].dump() == "32.0");
  CHECK(nlohmann::json(launch())["counters"]["a"].dump() == "1.5");
}

TEST_CASE("what a launch does not have is left out") {
  const nlohmann::json written = LaunchReport{};
  CHECK_FALSE(written.contains("arrays"));
  CHECK_FALSE(written.contains("launched_by"));
  CHECK(written["lines"].is_array());
  CHECK(written["diagnoses"].is_array());
}

TEST_CASE("an absent severity is an error, an absent confirmation is none") {
  CHECK(nlohmann::json::parse("{}").get<Diagnosis>().is_error());
  CHECK_FALSE(nlohmann::json::parse("{}").get<LineCounts>().confirmed);
  CHECK(nlohmann::json::parse(R"({"confirmed": true})").get<LineCounts>().compiled);
}

TEST_CASE("a gate is written and read back, its mistake where a figure is known") {
  GateResult result;
  result.gate = {.name = "sectors", .what = "w", .at_least = 2, .mistake = "far"};
  result.saw = 1.25;
  result.confirmed = false;
  result.file = "k.cu";
  result.line = 3;
  const nlohmann::json written = result;
  CHECK(written["at_most"].is_null());
  CHECK_FALSE(written.contains("mistake_saw"));
  CHECK(written.get<GateResult>().wanted() == "at least 2");
  result.mistake_saw = "64";
  result.mistake_description = "strided";
  const nlohmann::json more = result;
  CHECK(more.get<GateResult>().mistake_description == "strided");
  CHECK(nlohmann::json(more.get<GateResult>()) == more);
}

TEST_CASE("a verdict without its members keeps their defaults, and needs its word") {
  const CheckVerdict verdict = parse_verdict(R"({"verdict": "pass"})");
  CHECK(verdict.passed());
  CHECK_FALSE(verdict.footprint);
  CHECK_FALSE(verdict.time);
  CHECK(to_json(parse_verdict(to_json(verdict))) == to_json(verdict));
  for (const char* text : {"", "{}", "[1]", "3", R"({"verdict": 3})"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_verdict(text), NoVerdict);
  }
}

TEST_CASE("the word of a verdict is what ended it") {
  CHECK(word_of({.verdict = "pass"}) == "pass");
  CHECK(word_of({.verdict = "diagnosed", .kind = "race"}) == "race");
  CHECK(word_of({.verdict = "gate", .kind = "sectors"}) == "missed gate");
}
