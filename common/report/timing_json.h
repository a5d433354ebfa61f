#pragma once
#include <nlohmann/json.hpp>
#include <optional>

#include "report/timing.h"

/// \file
/// Times as JSON. Slow to compile: .cpp only.
/// \ingroup report
namespace warpwise::report {

/// Null where there is none.
inline nlohmann::json timing_json(const std::optional<Timing>& timing) {
  if (!timing) return nullptr;
  return {{"median_us", timing->median_us},
          {"q1_us", timing->q1_us},
          {"q3_us", timing->q3_us},
          {"runs", timing->runs},
          {"of_baseline", timing->of_baseline},
          {"sm_mhz", timing->sm_mhz}};
}

inline std::optional<Timing> timing_of(const nlohmann::json& value, const char* key) {
  const auto at = value.find(key);
  if (at == value.end() || at->is_null()) return std::nullopt;
  return Timing{at->value("median_us", 0.0),   at->value("q1_us", 0.0),
                at->value("q3_us", 0.0),       at->value("runs", 0),
                at->value("of_baseline", 0.0), at->value("sm_mhz", 0.0)};
}

/// Null where nothing was timed.
inline nlohmann::json timed_work_json(const TimedWork& work) {
  if (work.size.empty()) return nullptr;
  return {{"size", work.size},
          {"bytes", work.bytes},
          {"flops", work.flops},
          {"floor_us", work.floor_us},
          {"solution_us", work.solution_us}};
}

inline TimedWork timed_work_of(const nlohmann::json& value, const char* key) {
  const auto at = value.find(key);
  if (at == value.end() || at->is_null()) return {};
  return {at->value("size", ""), at->value("bytes", 0.0), at->value("flops", 0.0),
          at->value("floor_us", 0.0), at->value("solution_us", 0.0)};
}

}  // namespace warpwise::report
