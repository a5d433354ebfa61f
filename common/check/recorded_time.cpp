#include "check/recorded_time.h"

#include <nlohmann/json.hpp>

#include "lesson/start/paths.h"

namespace warpwise::lesson {

using nlohmann::json;

std::optional<double> solution_us_in(const std::string& record, const std::string& name,
                                     const std::string& device, const std::string& size) {
  try {
    const json whole = json::parse(record);
    if (whole.at("device").at("name") != device) return std::nullopt;
    for (const json& row : whole.at("exercises")) {
      if (row.at("exercise") != name || row.at("whose") != "solution") continue;
      if (row.at("judged").at("timed").at("size") != size) return std::nullopt;
      return row.at("time").at("median_us").get<double>();
    }
  } catch (const json::exception&) {
    // A record of an older version, or of a chapter that was never recorded.
  }
  return std::nullopt;
}

std::optional<double> recorded_solution_us(const std::string& exercise, const std::string& device,
                                           const std::string& size) {
  const std::size_t slash = exercise.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const auto file = repository() / "docs/results" / (exercise.substr(0, slash) + ".json");
  std::error_code absent;
  if (!std::filesystem::exists(file, absent)) return std::nullopt;
  return solution_us_in(read_file(file), exercise.substr(slash + 1), device, size);
}

}  // namespace warpwise::lesson
