#include "lesson/verdict.h"

#include <doctest/doctest.h>

#include "lesson/error.h"

using namespace warpwise::lesson;

namespace {

LineCounts loads(unsigned line, double sectors, bool confirmed = true) {
  return {.file = "k.cu",
          .line = line,
          .access = "global load",
          .requests = 10,
          .sectors = sectors,
          .confirmed = confirmed};
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
                  .confirmed = true};
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

TEST_CASE("signatures are shown as they are written") {
  CHECK(written_signature("k(float const*, float*, int)") == "k(const float*, float*, int)");
  CHECK(written_signature("k()") == "k()");
  CHECK(written_signature("void k<3>(int)") == "k<3>(int)");
  CHECK(written_signature("k") == "k");
  CHECK(written_signature("") == "");
  CHECK(written_parameters("void (float const*, int)") == "(const float*, int)");
  CHECK(written_parameters("nonsense").empty());
}

TEST_CASE("a signature that differs is shown beside the declared one") {
  Signature signature{"k(float*, int)", {"k(float*, int)", "other()"}};
  CHECK(signature.matches());
  CHECK(signature.text().empty());
  signature.found = {"k(float*)"};
  CHECK_FALSE(signature.matches());
  CHECK(signature.text().find("k(float*, int)") != std::string::npos);
  CHECK(signature.text().find("k(float*)\n") == std::string::npos);
  CHECK(signature.text().find("found:  __global__ void k(float*)") != std::string::npos);
  signature.found = {};
  CHECK(signature.text().find("no kernel") != std::string::npos);
  signature.found = {"k"};
  CHECK(signature.text().find("extern") != std::string::npos);
}

TEST_CASE("a verdict is written and read back") {
  CheckVerdict verdict;
  verdict.exercise = "ch05_x/01_y";
  verdict.verdict = "gate";
  verdict.kind = "sectors";
  verdict.message = "too many \xFF";
  verdict.file = "k.cu";
  verdict.line = 7;
  verdict.gates = {judge(sectors, {loads(3, 640)}),
                   judge({.name = "open", .what = "w", .access = "shared"}, {})};
  verdict.output = {"hello"};
  verdict.time = Timing{1.5, 1, 2, 11};
  const CheckVerdict back = parse_verdict(to_json(verdict));
  CHECK(back.verdict == "gate");
  CHECK(back.line == 7);
  REQUIRE(back.gates.size() == 2);
  CHECK(back.gates[0].gate.mistake == "chunks");
  CHECK(back.gates[0].wanted() == "16 to 32");
  CHECK_FALSE(back.gates[0].met);
  CHECK(back.gates[1].wanted() == "at least 0");
  CHECK(back.output == verdict.output);
  CHECK(back.time->runs == 11);
  for (const char* text : {"", "{}", "[1]", R"({"exercise": 3, "verdict": "pass"})"}) {
    CHECK_THROWS_AS(parse_verdict(text), Stop);
  }
}

TEST_CASE("the text says what failed, where, and what to do next") {
  CheckVerdict verdict;
  verdict.exercise = "ch05_warp_reduce/01_lane_sum";
  verdict.verdict = "diagnosed";
  verdict.message = "out-of-bounds: reads past x";
  verdict.file = "k.cu";
  verdict.line = 7;
  verdict.size = "3x33";
  verdict.lesson = "README.md";
  verdict.output = {"printed"};
  const std::string text = to_text(verdict);
  CHECK(text.find("k.cu:7") != std::string::npos);
  CHECK(text.find("at size 3x33") != std::string::npos);
  CHECK(text.find("next: read README.md") != std::string::npos);
  CHECK(text.find("chapters/ch05_warp_reduce/checks/01_lane_sum.md") != std::string::npos);
  CHECK(text.find("printed") != std::string::npos);
}

TEST_CASE("only the first lines of a kernel's output are kept") {
  std::string text;
  for (int i = 0; i < 25; ++i) text += "line\n";
  const auto lines = first_lines(text);
  CHECK(lines.size() == 21);
  CHECK(lines.back() == "... and 5 lines more");
  CHECK(first_lines("").empty());
  CHECK(first_lines("no newline").size() == 1);
}
