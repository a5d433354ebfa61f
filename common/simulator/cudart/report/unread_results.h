#pragma once
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "simulator/watch/report/report.h"

namespace warpwise::cudart {

/// An error of a launch that computed with memory which was never written, as long as nothing has
/// read what came of it. A launch that only warms up does no harm: its results are overwritten.
struct UnreadResult {
  watch::LaunchReport launch;  ///< without counts and diagnoses
  watch::Diagnosis diagnosis;
  std::string more;       ///< lines after it
  unsigned launches = 1;  ///< of the kernel that did the same
};

/// Keeps such errors until something reads the memory that the results are in, or the program ends.
/// The same of many launches of one kernel is kept once.
class UnreadResults {
 public:
  void add(UnreadResult result);
  /// Takes out those with results in one of these allocations.
  std::vector<UnreadResult> take(const std::set<std::uint32_t>& allocations);
  std::vector<UnreadResult> take_all();

 private:
  std::mutex mutex_;
  std::vector<UnreadResult> results_;
};

}  // namespace warpwise::cudart
