#include "lesson/bench.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>

#include "lesson/error.h"

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

void register_entry(const BenchmarkEntry& entry, Timer& timer) {
  // With manual time the library would count iterations by device time alone and never stop for
  // the flushing between them: the pilot decides.
  timer.once(entry.launch.launch, entry.launch.prepare);
  const int runs = runs_for(timer.once(entry.launch.launch, entry.launch.prepare));
  const auto body = [launch = entry.launch.launch, prepare = entry.launch.prepare,
                     bytes = entry.bytes, &timer](benchmark::State& state) {
    for (auto iteration : state) {
      (void)iteration;
      state.SetIterationTime(1e-6 * timer.once(launch, prepare));
    }
    if (bytes > 0) {
      state.SetBytesProcessed(static_cast<std::int64_t>(bytes) *
                              static_cast<std::int64_t>(state.iterations()));
    }
  };
  benchmark::RegisterBenchmark(entry.launch.name.c_str(), body)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->Iterations(runs);
}

}  // namespace

void run_benchmarks(const std::vector<BenchmarkEntry>& entries, const std::string& program,
                    const std::vector<std::string>& flags, Timer& timer) {
  std::vector<std::string> texts{program};
  texts.insert(texts.end(), flags.begin(), flags.end());
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (count > 1) {
    throw Stop(bad_usage, fmt::format("Google Benchmark does not know {}", arguments[1]));
  }
  for (const BenchmarkEntry& entry : entries) register_entry(entry, timer);
  const bool own_format = std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return flag.rfind("--benchmark_format", 0) == 0 || flag.rfind("--benchmark_list", 0) == 0;
  });
  DeviceReporter reporter;
  benchmark::RunSpecifiedBenchmarks(own_format ? nullptr : &reporter);
  benchmark::Shutdown();
}

}  // namespace warpwise::lesson
