#pragma once
#include <string>
#include <vector>

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

/// @return the smallest of the values that is at least as large as this share of them; 0 of none.
double quantile(std::vector<double> values, double share);

/// The text that `learn bench` prints of its measurements. Sets `missed` where a target was missed
/// or a solution did not pass.
std::string latency_text(const std::vector<Latency>& latencies, bool& missed);
std::string latency_json(const std::vector<Latency>& latencies);

}  // namespace warpwise::tutor
