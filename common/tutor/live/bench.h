#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "tutor/commands/latency.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The options of `learn bench`.
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

/// `learn bench simulator`: what whole programs take under the simulator, unless words name
/// kernels, then how fast it runs typical kernels. Becomes the program that measures these.
/// @param words for it: part of a kernel's name.
int simulator_bench_command(const Context& context, const std::vector<std::string>& words);

/// `learn bench record`: builds everything, then becomes docs/results/record_all, which records
/// what a GPU measures and counts and writes it into the pages.
/// @throws Failure: status 3 when the GPU or Nsight Compute is missing, or the build fails.
[[noreturn]] void record_command(const Context& context);

}  // namespace warpwise::tutor
