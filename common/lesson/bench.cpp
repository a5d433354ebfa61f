#include "lesson/bench.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>

#include "lesson/device/error.h"

namespace warpwise::lesson {
namespace {

/// The library's table without the lines about the host, whose speed says nothing here.
class DeviceReporter : public benchmark::ConsoleReporter {
 public:
  DeviceReporter() : ConsoleReporter(OO_None) {}
  bool ReportContext(const Context& context) override {
    name_field_width_ = context.name_field_width;
    return true;
  }
};

void register_entry(const BenchmarkEntry& entry, bool& right) {
  const auto body = [&entry, &right](benchmark::State& state) {
    for (auto iteration : state) {
      (void)iteration;
      // One iteration is a whole measurement, as in the table: the library would otherwise count by
      // device time alone and never stop for the flushing between launches.
      report::Timing timing;
      try {
        timing = entry.measure();
      } catch (const Stop& wrong) {
        right = false;
        state.SkipWithError(wrong.message.c_str());
        break;
      }
      state.SetIterationTime(1e-6 * timing.median_us);
      state.counters["runs"] = timing.runs;
      if (timing.of_baseline > 0) state.counters["of_baseline"] = timing.of_baseline;
      if (timing.sm_mhz > 0) state.counters["sm_mhz"] = timing.sm_mhz;
    }
    if (entry.bytes > 0) {
      state.SetBytesProcessed(static_cast<std::int64_t>(entry.bytes) *
                              static_cast<std::int64_t>(state.iterations()));
    }
  };
  benchmark::RegisterBenchmark(entry.name.c_str(), body)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->Iterations(1);
}

}  // namespace

bool run_benchmarks(const std::vector<BenchmarkEntry>& entries, const std::string& program,
                    const std::vector<std::string>& flags) {
  std::vector<std::string> texts{program};
  texts.insert(texts.end(), flags.begin(), flags.end());
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (count > 1) {
    throw Stop(bad_usage, fmt::format("Google Benchmark does not know {}", arguments[1]));
  }
  bool right = true;
  for (const BenchmarkEntry& entry : entries) register_entry(entry, right);
  const bool own_format = std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return flag.rfind("--benchmark_format", 0) == 0 || flag.rfind("--benchmark_list", 0) == 0;
  });
  DeviceReporter reporter;
  benchmark::RunSpecifiedBenchmarks(own_format ? nullptr : &reporter);
  benchmark::Shutdown();
  return right;
}

}  // namespace warpwise::lesson
