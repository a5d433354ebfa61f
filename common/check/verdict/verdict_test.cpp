#include "check/verdict/verdict.h"

#include <doctest/doctest.h>

#include "lesson/device/error.h"

using namespace warpwise::lesson;

namespace verdict_test {

const Gate sectors{.name = "sectors",
                   .what = "sectors loaded for each row",
                   .access = "global load",
                   .measure = Measure::sectors,
                   .per = 10,
                   .at_least = 16,
                   .at_most = 32,
                   .mistake = "chunks"};

GateResult missed() {
  GateResult result;
  result.gate = sectors;
  result.saw = 64;
  return result;
}

TEST_CASE("a verdict is written and read back") {
  CheckVerdict verdict;
  verdict.exercise = "ch05_x/01_y";
  verdict.verdict = "gate";
  verdict.kind = "sectors";
  verdict.message = "too many \xFF";
  verdict.file = "k.cu";
  verdict.line = 7;
  verdict.next = "do that";
  verdict.column = 3;
  verdict.counted_size = "3x33";
  verdict.author_test = "64, 256";
  verdict.footprint.emplace();
  verdict.footprint->registers = 12;
  verdict.footprint->blocks = 8;
  verdict.gates = {missed(), judge({.name = "open", .what = "w", .access = "shared"}, {})};
  verdict.output = {"hello"};
  verdict.time = Timing{1.5, 1, 2, 11};
  verdict.timed = {"8192x3", 1e6, 2e6, 0.5, 1.25};
  const CheckVerdict back = parse_verdict(to_json(verdict));
  CHECK(back.verdict == "gate");
  CHECK(back.line == 7);
  CHECK(back.next == "do that");
  CHECK(back.column == 3);
  CHECK(back.counted_size == "3x33");
  CHECK(back.author_test == "64, 256");
  REQUIRE(back.footprint);
  CHECK(back.footprint->registers == 12);
  CHECK(back.footprint->blocks == 8);
  REQUIRE(back.gates.size() == 2);
  CHECK(back.gates[0].gate.mistake == "chunks");
  CHECK(back.gates[0].wanted() == "16 to 32");
  CHECK_FALSE(back.gates[0].met);
  CHECK(back.gates[1].wanted() == "at least 0");
  CHECK(back.output == verdict.output);
  CHECK(back.time->runs == 11);
  CHECK(back.timed.size == "8192x3");
  CHECK(back.timed.bytes == 1e6);
  CHECK(back.timed.flops == 2e6);
  CHECK(back.timed.floor_us == 0.5);
  CHECK(back.timed.solution_us == 1.25);
  for (const char* text : {"", "{}", "[1]", R"({"exercise": 3, "verdict": "pass"})"}) {
    CHECK_THROWS_AS(parse_verdict(text), NoVerdict);
  }
}

TEST_CASE("a right answer's time stands beside a copy or a rate, the solution's and the floor") {
  CheckVerdict verdict;
  verdict.exercise = "ch09_try/01_try";
  verdict.verdict = "pass";
  const auto says = [&](const std::string& words) {
    return to_text(verdict, 200).find("  NVIDIA H200: right at every size" + words + "\n") !=
           std::string::npos;
  };
  CHECK(to_text(verdict, 200).find("right at every size") == std::string::npos);
  verdict.device = "NVIDIA H200";
  CHECK(says(""));  // a host function: the GPU ran it, and no time is taken.
  verdict.time = Timing{80, 79, 81, 11};
  verdict.timed = {"8192x4096", 268.4e6, 0, 55.9, 0};
  verdict.time->of_baseline = 0.875;
  CHECK(
      says("; 80.0 us at 8192x4096, 88 % as fast as a copy of as many bytes (268.4 MB); "
           "floor 55.9 us"));
  verdict.time->of_baseline = 0;
  verdict.timed = {"64x64x64", 5e4, 8e8, 0.01, 72};
  CHECK(says("; 80.0 us at 64x64x64, 10.0 TFLOP/s; our solution 72.0 us"));
  verdict.verdict = "wrong result";
  CHECK_FALSE(says("; 80.0 us at 64x64x64, 10.0 TFLOP/s; our solution 72.0 us"));
}

TEST_CASE("further lines that have to do with it are shown, and only a mistake that is near") {
  CheckVerdict verdict;
  verdict.exercise = "ch09_try/01_try";
  verdict.verdict = "diagnosed";
  verdict.kind = "race";
  verdict.related = {{"called from", "nowhere.cu", 31}};
  CHECK(parse_verdict(to_json(verdict)).related.at(0).line == 31);
  CHECK(to_text(verdict, 80).find("called from line 31:") != std::string::npos);
  verdict.verdict = "gate";
  GateResult gate = missed();
  gate.saw = 45;
  gate.mistake_saw = "72";
  gate.mistake_description = "each thread adds all";
  verdict.gates = {gate};
  CHECK(to_text(verdict, 80).find("each thread adds all") == std::string::npos);
  verdict.gates[0].saw = 70;
  CHECK(to_text(verdict, 80).find("each thread adds all") != std::string::npos);
}

TEST_CASE("an author's test that was right is reported, before what is wrong") {
  CheckVerdict verdict;
  verdict.exercise = "ch09_try/01_try";
  verdict.verdict = "wrong result";
  verdict.message = "it is wrong";
  CHECK(to_text(verdict, 80).find("author") == std::string::npos);
  verdict.author_test = "64, 256";
  const std::string text = to_text(verdict, 80);
  CHECK(text.find("\n  The author's test: 64, 256: right.\n  It is wrong.") != std::string::npos);
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

TEST_CASE("a printed line is cut, and what a terminal would obey is shown as a question mark") {
  CHECK(first_lines("a\x1b[2J\tb\r\n") == std::vector<std::string>{"a?[2J\tb?"});
  CHECK(first_lines(std::string(100'000, 'x')).at(0).size() == 202);
}

TEST_CASE("a pass shows what works and is better done otherwise, a wrong result what may be why") {
  CheckVerdict verdict;
  verdict.exercise = "ch09_try/01_try";
  verdict.verdict = "pass";
  CHECK(to_text(verdict, 80).find("note") == std::string::npos);
  Diagnosis left;
  left.severity = Severity::note;
  left.message = "32 threads have left before this barrier. Let all threads reach it.";
  verdict.diagnoses = {left, left};
  const std::string text = to_text(verdict, 80);
  CHECK(text.find("  note  32 threads have left before this barrier.") != std::string::npos);
  CHECK(text.find("note") == text.rfind("note"));
  verdict.verdict = "wrong result";
  CHECK(to_text(verdict, 80).find("note") == std::string::npos);
  verdict.diagnoses.back().kind = "uninitialized";
  verdict.diagnoses.back().message = "none of them was ever written";
  CHECK(to_text(verdict, 80).find("  note  None of them was ever written.") != std::string::npos);
  verdict.verdict = "diagnosed";
  verdict.kind = "race";
  CHECK(to_text(verdict, 80).find("note") == std::string::npos);
  // A thread that has ended supplies no value.
  verdict.kind = "uninitialized";
  verdict.diagnoses.front().kind = "barrier-divergence";
  CHECK(to_text(verdict, 80).find("  note  32 threads have left") != std::string::npos);
}

}  // namespace verdict_test
