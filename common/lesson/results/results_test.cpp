#include "lesson/results/results.h"

#include <doctest/doctest.h>

#include <sstream>

#include "lesson/device/error.h"
#include "lesson/print/table.h"
#include "lesson/print/text.h"
#include "lesson/results/residency.h"
#include "occupancy/gpu_table.h"

using namespace warpwise::lesson;

namespace {

/// A result as a GPU would have written it.
RunResult measured() {
  RunResult result;
  result.program = "ch00";
  result.device_kind = "gpu";
  result.device_name = "NVIDIA H200";
  LadderResult ladder;
  ladder.name = "scale";
  ladder.title = "a title";
  ladder.timed_size = Size{1000, 128};
  ladder.counted_size = Size{10, 128};
  ladder.needs_size = Size{1000, 128};
  ladder.bytes = 1e6;
  ladder.copy = Timing{10, 9, 11, 21};
  Rung rung;
  rung.name = "fast";
  rung.kernel = "fast(float*)";
  rung.grid = {4, 1, 1};
  rung.block = {32, 4, 1};
  rung.verdict = Verdict::right;
  rung.time = Timing{12.5, 12.4, 12.6, 101};
  rung.counts.counters = {{counter::load_requests, 8}, {counter::load_sectors, 32}};
  rung.skips = {{Size{3, 5000}, "too wide"}};
  rung.residency.derivation = {"64 warps"};
  rung.residency.local_bytes = 48;
  ladder.rungs.push_back(rung);
  result.ladders.push_back(ladder);
  result.exercises.push_back({"01_x", "yours", "not solved yet", "edit it", true, {}, {}, {}});
  return result;
}

Device simulated_device() {
  Device device;
  device.simulated = true;
  device.limits = *warpwise::occupancy::find_gpu("h200");
  return device;
}

}  // namespace

TEST_CASE("a result is written and read back") {
  const RunResult back = parse_result(to_json(measured()));
  const LadderResult* ladder = back.find("scale");
  REQUIRE(ladder != nullptr);
  CHECK(ladder->timed_size == Size{1000, 128});
  CHECK(ladder->counted_size == Size{10, 128});
  const Rung* rung = ladder->find("fast");
  REQUIRE(rung != nullptr);
  CHECK(rung->verdict == Verdict::right);
  CHECK(rung->time->median_us == 12.5);
  CHECK(rung->block == Index3{32, 4, 1});
  CHECK(rung->residency.local_bytes == 48);
  CHECK(rung->counts.sectors_per_load() == 4.0);
  CHECK(rung->skips.at(0).size == Size{3, 5000});
  CHECK(back.exercises.size() == 1);
  CHECK(to_json(back) == to_json(measured()));
}

TEST_CASE("a text that is not a result is refused") {
  for (const char* text : {"", "{}", "[]", R"({"format": 99})", R"({"format": 1, "ladders": 3})"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_result(text), Stop);
  }
}

TEST_CASE("a record gives a simulated run its times, labelled as recorded") {
  RunResult now = measured();
  LadderResult ladder = now.ladders[0];
  ladder.timed_size.reset();
  ladder.copy.reset();
  ladder.rungs[0].time.reset();
  const std::string before = ladder_text(ladder, simulated_device());
  CHECK(before.find("not recorded") != std::string::npos);
  CHECK(before.find("12.5") == std::string::npos);
  RunResult record = measured();
  record.limits_of = "h200";
  add_record(ladder, record, {simulated_device().limits, false, {}});
  const std::string text = ladder_text(ladder, simulated_device());
  CHECK(text.find("recorded: NVIDIA H200, full size 1000x128") != std::string::npos);
  CHECK(text.find("counts: simulated, 10x128") != std::string::npos);
  CHECK(text.find("12.5") != std::string::npos);
  CHECK(text.find("80.0") != std::string::npos);
  CHECK(text.find("skipped at 3x5000: too wide") != std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= text_width);
}

namespace {

/// A simulated run of measured(), and its record, as it is asked for.
struct Recorded {
  RunResult record = measured();
  LadderResult ladder = measured().ladders[0];
  Recorded() {
    record.limits_of = "h200";
    record.ladders[0].rungs[0].grid = {5000, 1, 1};
    ladder.timed_size.reset();
    ladder.copy.reset();
    ladder.rungs[0].time.reset();
  }
  /// Whether the table, with the lines above its rows, has the recorded 12.5 us.
  bool has_time(const Wanted& wanted) {
    add_record(ladder, record, wanted);
    return ladder_text(ladder, simulated_device()).find(" 12.5 ") != std::string::npos;
  }
};

}  // namespace

TEST_CASE("a row has no recorded time of another GPU or of another size") {
  const auto gpu = [](const char* name) { return *warpwise::occupancy::find_gpu(name); };
  CHECK(Recorded().has_time({gpu("h200"), true, {}}));
  CHECK(Recorded().has_time({gpu("h200"), false, Size{1000, 128}}));
  // The same architecture will do where no GPU was asked for; its own floor is shown with it.
  CHECK(Recorded().has_time({gpu("h100"), false, {}}));
  for (const Wanted& wanted :
       {Wanted{gpu("t4"), true, {}}, Wanted{gpu("t4"), false, {}}, Wanted{gpu("h100"), true, {}},
        Wanted{gpu("h200"), false, Size{7, 33}}}) {
    Recorded one;
    CHECK_FALSE(one.has_time(wanted));
    CHECK_FALSE(one.ladder.timed_size);
    CHECK_FALSE(one.ladder.copy);
    const std::string text = ladder_text(one.ladder, simulated_device());
    const std::string missing =
        wanted.size ? "none recorded at 7x33" : "none recorded on the NVIDIA";
    CHECK_MESSAGE(text.find(missing) != std::string::npos, text);
    CHECK(text.find("(only on the NVIDIA H200 at 1000x128)") != std::string::npos);
  }
}

TEST_CASE("what is skipped or wrong has no recorded time, and a skipped limit is still the limit") {
  for (Verdict verdict : {Verdict::skipped, Verdict::wrong_result, Verdict::diagnosed}) {
    Recorded one;
    one.ladder.rungs[0].verdict = verdict;
    CHECK_FALSE(one.has_time({simulated_device().limits, false, {}}));
  }
  Recorded one;
  one.ladder.limit = one.record.ladders[0].limit = "library";
  Rung library;
  library.name = "library";
  library.verdict = Verdict::skipped;
  one.ladder.rungs.push_back(library);
  library.time = Timing{5, 5, 5, 11};
  one.record.ladders[0].rungs.push_back(library);
  CHECK(one.has_time({simulated_device().limits, false, {}}));
  CHECK_FALSE(one.ladder.rungs[1].recorded);
  CHECK(one.ladder.limit_time()->median_us == 5);
  const std::string text = ladder_text(one.ladder, simulated_device());
  CHECK(text.find("limit: library, 5.0 us") != std::string::npos);
  CHECK(text.find(" 40.0 ") != std::string::npos);
  CHECK(parse_result(to_json(one.record)).ladders[0].limit == "library");
}

TEST_CASE("what was taken in turns is shown as the median of pairs, with the clocks") {
  LadderResult ladder;
  ladder.name = "product";
  ladder.limit = "library";
  Rung slow;
  slow.name = "slow";
  slow.verdict = Verdict::right;
  slow.time = Timing{10, 10, 10, 11, 0.5, 1500};
  Rung library = slow;
  library.name = "library";
  library.time = Timing{8, 8, 8, 11, 1, 1980};
  ladder.rungs = {slow, library};
  const std::string text = ladder_text(ladder, simulated_device());
  // 8 of 10 would be 80 %: at another clock.
  CHECK(text.find(" 50.0 ") != std::string::npos);
  CHECK(text.find("SM clock 1500 to 1980 MHz") != std::string::npos);
  CHECK(text.find("took turns") != std::string::npos);
  RunResult run;
  run.ladders.push_back(ladder);
  const Timing back = *parse_result(to_json(run)).ladders[0].rungs[0].time;
  CHECK(back.of_baseline == 0.5);
  CHECK(back.sm_mhz == 1500);
}

TEST_CASE("a count that is not known is a dash, and why is said once") {
  LadderResult ladder = measured().ladders[0];
  ladder.rungs[0].counts.counters = {{std::string("ptx__") + counter::load_requests, 8},
                                     {std::string("ptx__") + counter::shared_load_wavefronts, 8}};
  ladder.rungs[0].residency.registers_of = 90;
  ladder.rungs.push_back(ladder.rungs[0]);
  const std::string text = ladder_text(ladder, simulated_device());
  const std::string reason = "count -: not known, because the compiled code";
  REQUIRE_MESSAGE(text.find(reason) != std::string::npos, text);
  CHECK(text.find(reason) == text.rfind(reason));
  CHECK(text.find("      -   none       -") != std::string::npos);
  CHECK(ladder_text(measured().ladders[0], simulated_device()).find("count -: ") ==
        std::string::npos);
}

TEST_CASE("the best rung alone is derived, with the waves of the size whose time is shown") {
  LadderResult ladder = measured().ladders[0];
  ladder.rungs[0].residency.waves = "2 waves";
  ladder.rungs[0].residency.size = "1000x128";
  Rung slow = ladder.rungs[0];
  slow.name = "slow";
  slow.time = Timing{99, 99, 99, 11};
  ladder.rungs.push_back(slow);
  CHECK(best_rung(ladder)->name == "fast");
  CHECK(residency_text(ladder, false) ==
        "\nfast: occupancy at 1000x128\n64 warps\n  waves          2 waves\n");
  CHECK(residency_text(ladder, true).find("slow: occupancy") != std::string::npos);
  ladder.rungs[0].time.reset();
  ladder.rungs[1].time.reset();
  CHECK(best_rung(ladder)->name == "slow");
  ladder.rungs[1].verdict = Verdict::skipped;
  CHECK(best_rung(ladder)->name == "fast");
}

TEST_CASE("occupancy and waves are of the launch whose time is shown") {
  Recorded one;
  Rung& before = one.record.ladders[0].rungs[0];
  before.block = {64, 1, 1};
  before.shared_bytes = 100'000;
  CHECK(one.has_time({simulated_device().limits, false, {}}));
  Rung& rung = one.ladder.rungs[0];
  rung.residency.registers = 32;
  show_launch_of_time(rung, one.ladder, simulated_device().limits, Size{10, 128});
  CHECK(rung.residency.size == "1000x128");
  CHECK(rung.residency.blocks == 2);
  CHECK(rung.residency.limiters == std::vector<std::string>{"shared memory"});
  CHECK(rung.residency.waves.find("a grid of 5000 is") != std::string::npos);
  rung.recorded.reset();
  show_launch_of_time(rung, one.ladder, simulated_device().limits, Size{10, 128});
  CHECK(rung.residency.size == "10x128");
  CHECK(rung.residency.waves.find("a grid of 4 is") != std::string::npos);
}

TEST_CASE("the widest table fits 100 columns with its names whole") {
  LadderResult ladder = measured().ladders[0];
  Rung& rung = ladder.rungs[0];
  rung.name = "residual, then layernorm";
  rung.time = Timing{10234.5, 1, 1, 11};
  rung.counts.counters[counter::load_conflicts] = 1234567;
  rung.residency.blocks = 16;
  rung.residency.warps = 64;
  rung.residency.fraction = 0.625;
  rung.residency.limiters = {"registers", "shared memory"};
  const std::string text = ladder_text(ladder, simulated_device());
  CHECK(text.find("\nresidual, then layernorm ") != std::string::npos);
  CHECK(text.find(" 62.5 regs+smem\n") != std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= text_width);
}

TEST_CASE("a record of a product keeps its size, whose extents multiply to more than fits a GPU") {
  RunResult result = measured();
  result.ladders[0].timed_size = Size{4096, 4096, 4096};
  const RunResult back = parse_result(to_json(result));
  REQUIRE(back.ladders[0].timed_size);
  CHECK(back.ladders[0].timed_size->text() == "4096x4096x4096");
}

TEST_CASE("a ladder whose limit is a rung is counted against it, in flops where they dominate") {
  RunResult result = measured();
  LadderResult& ladder = result.ladders[0];
  ladder.limit = "library";
  ladder.flops = 1e9;
  Rung library;
  library.name = "library";
  library.verdict = Verdict::right;
  library.time = Timing{5, 5, 5, 11};
  ladder.rungs.push_back(library);
  const RunResult back = parse_result(to_json(result));
  CHECK(back.ladders[0].limit == "library");
  CHECK(back.ladders[0].limit_time()->median_us == 5);
  const std::string text = ladder_text(back.ladders[0], simulated_device());
  CHECK(text.find("limit: library") != std::string::npos);
  CHECK(text.find("TFLOP") != std::string::npos);
  CHECK(text.find("40.0") != std::string::npos);  // 5 us over 12.5 us.
  CHECK(text.find("80.0") != std::string::npos);  // 1 GFLOP in 12.5 us.

  ladder.tensor_cores = true;
  ladder.peak_tflops = 500;
  ladder.floor_of = "NVIDIA H200";
  ladder.floor_us = 2;  // Less than the bytes need: 1 GFLOP at 500 TFLOP/s.
  ladder.bytes = 1;
  const LadderResult tensor = parse_result(to_json(result)).ladders[0];
  CHECK(tensor.tensor_cores);
  CHECK(ladder_text(tensor, simulated_device()).find("1.0 GFLOP at the 500.0 TFLOP/s of bf16") !=
        std::string::npos);
}

TEST_CASE("wrong rungs and wrong exercises make the status 1, open ones do not") {
  RunResult result = measured();
  CHECK_FALSE(result.anything_wrong());
  result.exercises[0].solved_or_open = false;
  CHECK(result.anything_wrong());
  result = measured();
  for (Verdict verdict : {Verdict::wrong_result, Verdict::diagnosed, Verdict::not_run}) {
    result.ladders[0].rungs[0].verdict = verdict;
    CHECK(result.anything_wrong());
  }
  result.ladders[0].rungs[0].verdict = Verdict::skipped;
  CHECK_FALSE(result.anything_wrong());
}

TEST_CASE("registers of another architecture are labelled") {
  const RunResult result = measured();
  Device device = simulated_device();
  LadderResult ladder = result.ladders[0];
  ladder.rungs[0].residency.registers_of = 90;
  CHECK(ladder_text(ladder, device).find("registers of") == std::string::npos);
  device.limits = *warpwise::occupancy::find_gpu("t4");
  CHECK(ladder_text(ladder, device).find("registers of sm_90") != std::string::npos);
}

TEST_CASE("paragraphs fit, and keep their own indentation") {
  CHECK(paragraph("head: ", "one\n  two\nthree", 2) == "head: one\n    two\n  three\n");
  CHECK(paragraph("head: ", "", 2).empty());
  std::string words;
  for (int i = 0; i < 60; ++i) words += "word ";
  std::istringstream lines(paragraph("a long head of its own: ", words + "\n  " + words, 2));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) CHECK(line.size() <= text_width);
  CHECK(count >= 7);
}

TEST_CASE("the picture of accesses shows each line once") {
  Rung rung;
  rung.name = "fast";
  CHECK(view_text(rung.name, "", rung.counts).find("no accesses") != std::string::npos);
  rung.counts.lines = {{"k.cu", 3, "global load", 8, 32, 0, 0, true},
                       {"k.cu", 3, "global store", 8, 256, 0, 0, false}};
  rung.counts.lines[0].loads_in_flight = 4;
  const std::string text = view_text(rung.name, "10x128", rung.counts);
  CHECK(text.find("k.cu:3") == text.rfind("k.cu:3"));
  CHECK(text.find("####  4 in flight") != std::string::npos);
  CHECK(text.find("in flight") == text.rfind("in flight"));
  CHECK(text.find("(from PTX)") != std::string::npos);
}
