#pragma once
#include <string>

/// \file
/// The time of one thing on a real GPU, as verdicts and records hold it.
/// \ingroup report
namespace warpwise::report {

/// Times of one thing, run several times.
struct Timing {
  double median_us = 0;
  double q1_us = 0;  ///< a quarter of the runs was faster.
  double q3_us = 0;  ///< a quarter was slower.
  int runs = 0;
  /// The baseline's time over this one, the median of pairs taken in turns; 0: not so taken.
  double of_baseline = 0;
  double sm_mhz = 0;  ///< the SM clock while it ran, the median of samples; 0: not known.
};

/// The work that was timed, and what it needs at the least.
struct TimedWork {
  std::string size;        ///< of the problem: "8192x4096".
  double bytes = 0;        ///< that have to be moved, read plus written; 0: not stated.
  double flops = 0;        ///< that have to be done.
  double floor_us = 0;     ///< the least time for both, over the peaks of the GPU; 0: not known.
  double solution_us = 0;  ///< of our solution, as recorded on the same GPU; 0: not known.
};

}  // namespace warpwise::report
