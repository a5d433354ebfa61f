#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "tutor/context.h"

namespace warpwise::tutor {

/// How long it takes from a save to its verdict, without a GPU.
struct Latency {
  std::string id;             ///< of the exercise.
  std::string kind;           ///< "exercise" (device code alone), "program" or "arithmetic".
  std::vector<double> total;  ///< seconds, each save.
  /// Seconds that the compiler and the check computed, each save: on a machine that is shared, what
  /// tells most of the time on one that is not.
  std::vector<double> processor;
  double compile_s = 0;  ///< of the last one: the compiler's share,
  double judge_s = 0;    ///< and that of the check.
  std::string verdict;   ///< of the last one that did not pass; else "pass".
};

/// What `learn bench` may be told.
struct BenchOptions {
  std::string only;        ///< a chapter or an exercise; empty: all.
  std::size_t rounds = 3;  ///< saves of each exercise.
  bool json = false;
};

/// `learn bench`: saves each solution in a temporary copy of the course and waits for its verdict
/// as the watcher does; compares the medians and the 95th percentiles with their targets.
/// @return 0, or 1 when a target was missed or a solution did not pass.
/// @throws Failure: status 3 when the checks cannot be built or the course has no solutions.
int bench_command(const Context& context, const BenchOptions& options);

/// `learn bench simulator`: how fast the simulator runs typical kernels. Becomes that program.
/// @param words for it: part of a kernel's name.
int simulator_bench_command(const Context& context, const std::vector<std::string>& words);

/// `learn bench record`: builds everything, then becomes docs/results/record_all, which records
/// what a GPU measures and counts and writes it into the pages.
/// @throws Failure: status 3 when there is no GPU or no Nsight Compute, or the build fails.
[[noreturn]] void record_command(const Context& context);

/// @return the smallest of the values that is at least as large as this share of them; 0 of none.
double quantile(std::vector<double> values, double share);

/// What bench_command prints of its measurements. Sets `missed` where a target was missed or a
/// solution did not pass.
std::string latency_text(const std::vector<Latency>& latencies, bool& missed);
std::string latency_json(const std::vector<Latency>& latencies);

}  // namespace warpwise::tutor
