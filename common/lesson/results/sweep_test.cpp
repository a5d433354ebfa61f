#include "lesson/results/sweep.h"

#include <doctest/doctest.h>

#include <sstream>

#include "lesson/print/table.h"
#include "lesson/print/text.h"
#include "lesson/results/results.h"
#include "occupancy/gpu_table.h"

using namespace warpwise::lesson;

namespace {

Rung point(const std::string& series, int value, double sectors) {
  Rung rung;
  rung.series = series;
  rung.value = value;
  rung.name = series + std::to_string(value);
  rung.verdict = Verdict::right;
  rung.counts.counters = {{counter::load_requests, 8}, {counter::load_sectors, 8 * sectors}};
  return rung;
}

/// Two series at three values; the second has no point at 3.
RunResult swept() {
  LadderResult sweep;
  sweep.name = "offset";
  sweep.parameter = "offset, floats";
  sweep.shows = {Shown::load_sectors, Shown::store_sectors};
  sweep.bytes = 1e6;
  for (int value : from_to(1, 3)) {
    sweep.rungs.push_back(point("loads", value, 4 + value));
    if (value < 3) sweep.rungs.push_back(point("both", value, 10 * value));
  }
  RunResult result;
  result.ladders.push_back(sweep);
  result.tables.push_back(
      {"map", "a title", {"thread", "index"}, {{"(0, 0)", "0"}, {"(1, 0)", "17"}}, "a remark"});
  return result;
}

std::vector<std::string> words_of_line(const std::string& text, const std::string& first) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (!words.empty() && words[0] == first) return words;
  }
  return {};
}

}  // namespace

TEST_CASE("a sweep has a row for each value and its series side by side") {
  Device device;
  device.limits = *warpwise::occupancy::find_gpu("h200");
  LadderResult sweep = swept().ladders[0];
  std::string text = ladder_text(sweep, device);
  CHECK(words_of_line(text, "2") == std::vector<std::string>{"2", "6.00", "-", "20.00", "-"});
  CHECK(words_of_line(text, "3") == std::vector<std::string>{"3", "7.00", "-", "-", "-"});
  CHECK(text.find("GB/s\n") == std::string::npos);

  sweep.rungs[0].recorded = Timing{10, 10, 10, 11};
  text = ladder_text(sweep, device);
  CHECK(words_of_line(text, "1") ==
        std::vector<std::string>{"1", "5.00", "-", "100", "10.00", "-", "-"});

  LadderResult no_rate = sweep;
  no_rate.bytes = 0;
  CHECK(words_of_line(ladder_text(no_rate, device), "1") ==
        std::vector<std::string>{"1", "5.00", "-", "10.00", "-"});

  sweep.rungs[2].verdict = Verdict::wrong_result;
  sweep.rungs[2].message = "17 of 20 elements";
  text = ladder_text(sweep, device);
  CHECK(words_of_line(text, "2") ==
        std::vector<std::string>{"2", "6.00", "-", "wrong", "result", "20.00", "-", "-"});
  CHECK(text.find("loads2: 17 of 20 elements") != std::string::npos);
}

TEST_CASE("what a sweep shows comes from counts and residency, and is absent without them") {
  Rung rung = point("loads", 1, 4);
  rung.residency.registers = 32;
  rung.residency.warps = 48;
  rung.residency.fraction = 0.75;
  CHECK(text_of(Shown::load_sectors, value_of(Shown::load_sectors, rung)) == "4.00");
  CHECK(text_of(Shown::store_sectors, value_of(Shown::store_sectors, rung)) == "-");
  CHECK(text_of(Shown::bank_conflicts, value_of(Shown::bank_conflicts, rung)) == "0");
  CHECK(text_of(Shown::resident_warps, value_of(Shown::resident_warps, rung)) == "48");
  CHECK(text_of(Shown::occupancy, value_of(Shown::occupancy, rung)) == "75");
  rung.residency.local_bytes = 48;
  CHECK(text_of(Shown::local_bytes, value_of(Shown::local_bytes, rung)) == "48");
  rung.counts.counters[counter::shared_load_requests] = 4;
  rung.counts.counters[counter::shared_load_wavefronts] = 32;
  CHECK(text_of(Shown::shared_load_wavefronts, value_of(Shown::shared_load_wavefronts, rung)) ==
        "8.00");
  rung.recorded = Timing{12.34, 12, 13, 11};
  CHECK(text_of(Shown::time_us, value_of(Shown::time_us, rung)) == "12.3");
  const Rung nothing;
  CHECK_FALSE(value_of(Shown::bank_conflicts, nothing));
  CHECK_FALSE(value_of(Shown::occupancy, nothing));
  CHECK(from_to(3, 5) == std::vector<int>{3, 4, 5});
  CHECK(from_to(3, 2).empty());
}

TEST_CASE("sweeps and demonstrations are written and read back") {
  const RunResult result = swept();
  const RunResult back = parse_result(to_json(result));
  CHECK(to_json(back) == to_json(result));
  CHECK(back.ladders.at(0).shows == result.ladders[0].shows);
  CHECK(back.ladders[0].rungs.at(1).series == "both");
  CHECK(back.tables.at(0).rows == result.tables[0].rows);
  CHECK(to_json(result).find("\"sect/load\": \"5.00\"") != std::string::npos);
}

TEST_CASE("a demonstration is a table with its title and its note") {
  const std::string text = demonstration_text(swept().tables[0]);
  CHECK(text.find("map: a title") != std::string::npos);
  CHECK(words_of_line(text, "(1,") == std::vector<std::string>{"(1,", "0)", "17"});
  CHECK(text.find("a remark") != std::string::npos);
}
