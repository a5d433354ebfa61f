#include "report/simulator_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "report/report_json.h"

namespace warpwise::report {
namespace {

using nlohmann::json;

/// Source lines and what kernels print need not be UTF-8.
std::string text_of(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// @param read throws what nlohmann::json throws.
template <class Read>
auto parsed(const char* what, Read read) {
  try {
    return read();
  } catch (const json::exception& error) {
    throw NoReport(fmt::format("the simulator's {} cannot be read: {}", what, error.what()));
  }
}

/// The offset of the lowest lane that takes part.
std::optional<double> first_offset(const json& access) {
  for (const json& lane : access.value("lanes", json::array())) {
    if (lane.is_number()) return lane.get<double>();
  }
  return std::nullopt;
}

}  // namespace

std::string to_json(const LaunchReport& launch) { return text_of(launch); }

std::string quoted(std::string_view text) { return text_of(text); }

std::vector<LaunchReport> parse_launches(std::string_view text) {
  return parsed("report",
                [&] { return json::parse(text).at("launches").get<std::vector<LaunchReport>>(); });
}

OperationCounts parse_operations(std::string_view text) {
  return parsed("operations", [&] {
    OperationCounts counts;
    const json all = json::parse(text);
    for (const auto& [key, value] : all.items()) {
      if (value.is_number()) counts.numbers[key] = value.get<double>();
    }
    for (const json& one : all.at("operations")) {
      counts.list.push_back({one.at("name").get<std::string>(), one.at("does").get<std::string>(),
                             one.at("stream").get<unsigned>(), one.at("column").get<unsigned>()});
    }
    return counts;
  });
}

double largest_jump(std::string_view trace, std::string_view array) {
  const json whole = json::parse(trace, nullptr, false);
  if (!whole.is_object()) return 0;
  std::optional<double> before;
  double largest = 0;
  for (const json& step : whole.value("steps", json::array())) {
    for (const json& access : step.value("accesses", json::array())) {
      const std::string name = whole["arrays"][access.value("array", 0U)].value("name", "");
      if (name != array || access.value("store", false) || access.value("atomic", false)) continue;
      const std::optional<double> offset = first_offset(access);
      if (offset && before) largest = std::max(largest, std::abs(*offset - *before));
      if (offset) before = offset;
    }
  }
  return largest;
}

}  // namespace warpwise::report
