#pragma once
#include <string>
#include <vector>

#include "lesson/ladder_run.h"
#include "lesson/timing.h"

/// \file
/// Google Benchmark over the rungs of a ladder.
/// \ingroup lesson
namespace warpwise::lesson {

/// One rung and what it moves.
struct BenchmarkEntry {
  KeptLaunch launch;
  double bytes = 0;
};

/// Runs the entries with times of the device, each as often as a pilot says; prints as Google
/// Benchmark does.
/// @param program name for messages. @param flags "--benchmark_...".
/// @throws Stop (usage) for a flag that Google Benchmark does not know.
void run_benchmarks(const std::vector<BenchmarkEntry>& entries, const std::string& program,
                    const std::vector<std::string>& flags, Timer& timer);

}  // namespace warpwise::lesson
