#include "lesson/start/options.h"

#include <doctest/doctest.h>

#include "lesson/device/error.h"

using namespace warpwise::lesson;

namespace {

Options parse(std::vector<const char*> flags) {
  flags.insert(flags.begin(), "ch00");
  return parse_options(static_cast<int>(flags.size()), flags.data(), "ch00", "about this chapter");
}

/// The status and message with which the flags end the program.
Stop stop_of(const std::vector<const char*>& flags) {
  try {
    parse(flags);
  } catch (const Stop& stop) {
    return stop;
  }
  return {-1, "no stop"};
}

}  // namespace

TEST_CASE("a chapter has its own flags") {
  std::string prompt;
  const OwnOptions own{{"--prompt", "TEXT", "what the model goes on from", &prompt}};
  const auto parse_own = [&](std::vector<const char*> flags) {
    flags.insert(flags.begin(), "ch00");
    return parse_options(static_cast<int>(flags.size()), flags.data(), "ch00", "about", own);
  };
  CHECK(parse_own({"--prompt", "A warp", "--only", "x"}).only == "x");
  CHECK(prompt == "A warp");
  CHECK_THROWS_AS(parse_own({"--prompt"}), Stop);
  CHECK(stop_of({"--prompt", "A warp"}).status == bad_usage);
}

TEST_CASE("flags are read") {
  const Options none = parse({});
  CHECK(none.device == DeviceChoice::automatic);
  CHECK_FALSE(none.size);
  const Options all = parse({"--device", "sim", "--gpu", "t4", "--only", "warp", "--size", "3x5",
                             "--json", "x.json", "--view", "packs"});
  CHECK(all.device == DeviceChoice::simulator);
  CHECK(all.gpu == "t4");
  CHECK(all.only == "warp");
  CHECK(all.size == Size{3, 5});
  CHECK(all.json == "x.json");
  CHECK(all.view == "packs");
  CHECK(parse({"--compare"}).compare);
  CHECK(parse({"--compare"}).exercise.empty());
  CHECK(parse({"--occupancy"}).occupancy);
  CHECK(parse({"--bench", "--benchmark_filter=warp"}).benchmark_flags.size() == 1);
  CHECK(parse({"--small"}).small);
  CHECK(parse({"--gpus", "4"}).gpus == 4);
  CHECK(parse({"--json=a=b", "--view="}).json == "a=b");
}

TEST_CASE("--compare takes the name of an exercise, or none") {
  CHECK(parse({"--compare", "lane_sum"}).exercise == "lane_sum");
  CHECK(parse({"--compare=ch05/01"}).exercise == "ch05/01");
  const Options beside = parse({"--compare", "--device", "sim"});
  CHECK(beside.exercise.empty());
  CHECK(beside.device == DeviceChoice::simulator);
  const Options only = parse({"--compare", "--only", "lane_sum"});
  CHECK(only.exercise == "lane_sum");
  CHECK(only.only.empty());
  CHECK(stop_of({"--compare", "a", "--only", "b"}).status == bad_usage);
  CHECK(stop_of({"--compare", "a", "b"}).status == bad_usage);
  CHECK(stop_of({"--compare", "--compare"}).status == bad_usage);
}

TEST_CASE("--gpus takes a number from 1 to 8") {
  CHECK(parse({}).gpus == 0);
  CHECK(parse({"--gpus=8"}).gpus == 8);
  for (const char* wrong : {"0", "9", "-1", "two", "2x", ""}) {
    const Stop stop = stop_of({"--gpus", wrong});
    CHECK(stop.status == bad_usage);
    CHECK(stop.message == std::string("--gpus: ") + wrong + " is not a number from 1 to 8");
  }
}

TEST_CASE("a format of Google Benchmark keeps standard output for itself") {
  CHECK(benchmark_has_output(parse({"--bench", "--benchmark_format=json"})));
  CHECK_FALSE(benchmark_has_output(parse({"--bench", "--benchmark_filter=warp"})));
  CHECK_FALSE(benchmark_has_output(parse({})));
}

TEST_CASE("help ends with an example and the exit statuses") {
  const std::string help = stop_of({"--help"}).message;
  for (const char* part : {"--compare [NAME]", "--occupancy", "Examples:\n", " --compare 01",
                           "Exit status:\n  0  ", "\n  1  ", "\n  2  ", "\n  3  "}) {
    CHECK_MESSAGE(help.find(part) != std::string::npos, part);
  }
}

TEST_CASE("help is not an error, and comes before anything else is done") {
  CHECK(stop_of({"--help"}).status == all_right);
  CHECK(stop_of({"--help"}).message.find("--device") != std::string::npos);
}

TEST_CASE("bad usage has status 2 and one line") {
  const std::vector<std::vector<const char*>> bad{{"--device", "tpu"},
                                                  {"--device"},
                                                  {"--gpu", "voodoo2"},
                                                  {"--size", "-3x5"},
                                                  {"--size", "99999999x99999999"},
                                                  {"--size", "0x1"},
                                                  {"--size"},
                                                  {"--frobnicate"},
                                                  {"--small=yes"},
                                                  {"--json", "--bench"},
                                                  {"--json", "a", "--json=b"},
                                                  {"extra"},
                                                  {"--benchmark_filter=x"},
                                                  {"--small", "--bench"},
                                                  {"--small", "--size", "3x5"},
                                                  {"--compare", "--bench"}};
  for (const auto& flags : bad) {
    CAPTURE(flags.front());
    const Stop stop = stop_of(flags);
    CHECK(stop.status == bad_usage);
    CHECK(stop.message.find('\n') == std::string::npos);
    CHECK_FALSE(stop.message.empty());
  }
  CHECK(stop_of({"--gpu", "voodoo2"}).message.find("h200") != std::string::npos);
}

TEST_CASE("what is wrong with a flag is said by its name") {
  const auto says = [](const std::vector<const char*>& flags, const std::string& what) {
    const std::string message = stop_of(flags).message;
    CHECK_MESSAGE(message.find(what) != std::string::npos, message);
  };
  says({"--frobnicate"}, "--frobnicate is not a flag");
  says({"-x"}, "-x is not a flag");
  says({"--small", "-xyz"}, "-xyz is not a flag");
  says({"--small", "more"}, "more is not a flag");
  says({"--view", "a", "--json"}, "--json wants FILE");
  says({"--json", "--small"}, "--json wants FILE");
  says({"--small=yes"}, "--small takes no value");
  says({"--json=a", "--json", "b"}, "--json is there twice");
}

TEST_CASE("a check needs an image") {
  const char* with[] = {"c", "--image", "a.image", "--quiet", "--device", "gpu"};
  const CheckOptions options = parse_check_options(6, with, "c");
  CHECK(options.image == "a.image");
  CHECK(options.quiet);
  CHECK(options.device == DeviceChoice::gpu);
  CHECK_THROWS_AS(parse_check_options(1, with, "c"), Stop);
}
