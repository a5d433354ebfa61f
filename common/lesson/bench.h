#pragma once
#include <string>
#include <vector>

#include "base/function.h"
#include "report/timing.h"

/// \file
/// Google Benchmark over the rungs of a ladder.
/// \ingroup lesson
namespace warpwise::lesson {

/// One rung, and what it moves.
struct BenchmarkEntry {
  std::string name;                         ///< "reduce_scale/warp per row".
  std::function<report::Timing()> measure;  ///< as for the table. @throws Stop for a wrong result.
  double bytes = 0;
};

/// Runs the entries with times of the device, each as its ladder measures it; prints as Google
/// Benchmark does.
/// @param program name for messages. @param flags "--benchmark_...".
/// @return whether all results were right.
/// @throws Stop (usage) for a flag that Google Benchmark does not know.
bool run_benchmarks(const std::vector<BenchmarkEntry>& entries, const std::string& program,
                    const std::vector<std::string>& flags);

}  // namespace warpwise::lesson
