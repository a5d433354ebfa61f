#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "verification/programs/corpus.h"

// Whole programs under the stand-in, against what an H200 printed and what their comments declare.
namespace warpwise::programs {
namespace {

const std::string folder = WARPWISE_SOURCE_DIR "/common/verification/programs";

struct Corpus {
  std::vector<Program> programs;
  std::vector<Outcome> outcomes;
};

// Run once, for all the cases.
const Corpus& corpus() {
  static const Corpus all = [] {
    const std::string built = WARPWISE_BUILD_DIR "/programs";
    Corpus made;
    made.programs = find_programs(WARPWISE_SOURCE_DIR "/common/verification", built);
    made.outcomes =
        run_all(made.programs, built, WARPWISE_BUILD_DIR "/simulator/libcudart.so.13", 2);
    return made;
  }();
  return all;
}

std::string record_of(const Program& program) { return read_text(program.record_file()); }

Program with_mark(const std::string& kind, unsigned line) {
  return {.name = "p",
          .source = "p.cu",
          .mistake = true,
          .expected = {{.kind = kind, .line = line, .error = true, .message = ""}}};
}

TEST_CASE(
    "every program prints what the GPU printed, and its mistakes are reported where they are") {
  const auto not_yet = read_reasons(folder + "/not_yet.txt");
  const Corpus& all = corpus();
  REQUIRE(all.programs.size() > 100);
  for (std::size_t i = 0; i < all.programs.size(); ++i) {
    const Program& program = all.programs[i];
    const std::string wrong = judge(program, all.outcomes[i], record_of(program));
    INFO(program.name << " (" << program.source << ")\n" << wrong);
    if (const auto listed = not_yet.find(program.name); listed != not_yet.end()) {
      INFO("it runs now: take it out of not_yet.txt (" << listed->second << ")");
      CHECK_FALSE(wrong.empty());
    } else {
      CHECK(wrong.empty());
    }
  }
}

/// A kernel in an unnamed namespace has a hash of its file's path in its name.
std::string without_path(const std::string& kernel) {
  static const std::regex hash("_GLOBAL__N__[0-9a-f]{8}_");
  return std::regex_replace(kernel, hash, "_GLOBAL__N__");
}

/// Compares the counts of one program's launches with a GPU's. Those that are not confirmed bear
/// another name and are not compared.
/// @return how many values were.
std::size_t compare_counts(const std::string& name, const nlohmann::json& recorded,
                           const std::vector<Counted>& launches,
                           const std::map<std::string, std::string>& not_modelled) {
  std::size_t values = 0;
  REQUIRE(launches.size() >= recorded.size());
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const std::string launch = name + " " + std::to_string(i);
    INFO(launch << ": " << launches[i].kernel);
    CHECK(without_path(launches[i].kernel) ==
          without_path(recorded[i].at("kernel").get<std::string>()));
    bool is_equal = true;
    for (const auto& [metric, count] : launches[i].counters) {
      if (!recorded[i].contains(metric)) continue;
      ++values;
      is_equal &= count == recorded[i].at(metric).get<double>();
      INFO(metric);
      if (!not_modelled.count(launch)) CHECK(count == recorded[i].at(metric).get<double>());
    }
    if (not_modelled.count(launch)) {
      INFO("its counts are right now: take it out of counts_not_modelled.txt");
      CHECK_FALSE(is_equal);
    }
  }
  return values;
}

/// By program, how many of its recorded counts are confirmed, as confirmed_counts.txt has it.
std::string confirmed_counts(const std::map<std::string, std::size_t>& values) {
  std::ostringstream text;
  text
      << "# PROGRAM COUNTS: so many of its counts are confirmed, and compared with the "
         "hardware's.\n"
         "# WARPWISE_REMAKE_COUNTS=1 build/test_programs writes this anew. Look at what is less.\n";
  for (const auto& [name, count] : values) text << name << ' ' << count << '\n';
  return text.str();
}

TEST_CASE("what is counted of whole programs is what Nsight Compute counted on the GPU") {
  const std::string text =
      read_text(WARPWISE_SOURCE_DIR "/common/verification/recorded/whole_programs.json");
  const auto recorded = nlohmann::json::parse(text).at("programs");
  const auto not_modelled = read_reasons(folder + "/counts_not_modelled.txt");
  const Corpus& all = corpus();
  std::map<std::string, std::size_t> values;
  for (std::size_t i = 0; i < all.programs.size(); ++i)
    if (const std::string& name = all.programs[i].name; recorded.contains(name))
      values[name] =
          compare_counts(name, recorded.at(name), all.outcomes[i].launches, not_modelled);
  const std::string file = folder + "/confirmed_counts.txt", now = confirmed_counts(values);
  if (std::getenv("WARPWISE_REMAKE_COUNTS") != nullptr) std::ofstream(file) << now;
  INFO("the program that is named differently in " << file << " has other counts confirmed now");
  CHECK(now == read_text(file));
}

TEST_CASE("what not_yet.txt names exists, with a reason") {
  const auto not_yet = read_reasons(folder + "/not_yet.txt");
  for (const auto& [name, reason] : not_yet) {
    INFO(name);
    CHECK(reason.size() > 3);
    const auto& programs = corpus().programs;
    CHECK(std::any_of(programs.begin(), programs.end(),
                      [&, &n = name](const Program& p) { return p.name == n; }));
  }
}

TEST_CASE("every mistake declares one, every other program has a record or checks its results") {
  const Corpus& all = corpus();
  const bool recorded =
      std::any_of(all.programs.begin(), all.programs.end(),
                  [](const Program& program) { return !record_of(program).empty(); });
  if (!recorded) MESSAGE("no GPU has recorded the programs yet: outputs are not compared");
  for (std::size_t i = 0; i < all.programs.size(); ++i) {
    const Program& program = all.programs[i];
    INFO(program.name);
    if (program.mistake) {
      CHECK_FALSE(program.expected.empty());
    } else if (record_of(program).empty()) {
      // No machine of several GPUs has run them yet: they end with 1 where a result is wrong.
      CHECK((!recorded || !program.gpus.empty()));
      CHECK(all.outcomes[i].record.ends_with("[exit status 0]\n"));
    }
  }
}

TEST_CASE("the judge: a difference in the output") {
  const Program program{.name = "p", .source = "p.cu", .mistake = false, .expected = {}};
  const Outcome outcome{.record = "a\nb\n[exit status 0]\n",
                        .errors = "",
                        .found = {},
                        .launches = {},
                        .unsupported = ""};
  CHECK(judge(program, outcome, "a\nb\n[exit status 0]\n").empty());
  const std::string wrong = judge(program, outcome, "a\nc\n[exit status 0]\n");
  CHECK(wrong.find("line 2") != std::string::npos);
  CHECK(wrong.find("GPU:       c") != std::string::npos);
  CHECK_FALSE(judge(program, outcome, "a\nb\n[exit status 1]\n").empty());
  CHECK_FALSE(judge(program, outcome, "a\nb\nc\n[exit status 0]\n").empty());
}

TEST_CASE("the judge: diagnoses that are missing, elsewhere, or not declared") {
  const Program program = with_mark("race", 7);
  Outcome outcome{
      .record = "[exit status 0]\n", .errors = "", .found = {}, .launches = {}, .unsupported = ""};
  CHECK(judge(program, outcome, "").find("not diagnosed: race at line 7") == 0);
  outcome.found = {{.kind = "race", .line = 8, .error = true, .message = ""}};
  CHECK_FALSE(judge(program, outcome, "").empty());
  outcome.found[0].line = 0;
  CHECK_FALSE(judge(program, outcome, "").empty());
  outcome.found[0].line = 7;
  CHECK(judge(program, outcome, "").empty());
  outcome.found[0].file = "/somewhere/else.cpp";
  CHECK_FALSE(judge(program, outcome, "").empty());
  outcome.found[0].file = "/somewhere/p.cu";
  CHECK(judge(program, outcome, "").empty());
  outcome.found.push_back({.kind = "trap", .line = 9, .error = true, .message = ""});
  CHECK(judge(program, outcome, "").find("diagnosed, not declared: trap at line 9") == 0);
  outcome.found[1].error = false;
  CHECK(judge(program, outcome, "").empty());
  outcome.unsupported = "does not know x";
  CHECK_FALSE(judge(program, outcome, "").empty());
}

}  // namespace
}  // namespace warpwise::programs
