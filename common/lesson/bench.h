#pragma once
#include <string>
#include <vector>

#include "lesson/device/timing.h"

/// \file
/// Google Benchmark over the rungs of a ladder.
/// \ingroup lesson
namespace warpwise::lesson {

/// One rung, and what it moves.
struct BenchmarkEntry {
  std::string name;  ///< "reduce_scale/warp per row".
  Work work;
  Work baseline;  ///< what takes turns with it, so that the times are those of the table; or empty.
  double bytes = 0;
};

/// Runs the entries with times of the device, each as often as its turns with the baseline say;
/// prints as Google Benchmark does.
/// @param program name for messages. @param flags "--benchmark_...".
/// @throws Stop (usage) for a flag that Google Benchmark does not know.
void run_benchmarks(const std::vector<BenchmarkEntry>& entries, const std::string& program,
                    const std::vector<std::string>& flags, Timer& timer);

}  // namespace warpwise::lesson
