#pragma once

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

}  // namespace warpwise::report
