#include "check/load_order.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

namespace warpwise::lesson {
namespace {

constexpr const char* trace_variable = "WARPWISE_TRACE";

/// The offset of the lowest lane that takes part.
std::optional<double> first_offset(const nlohmann::json& access) {
  for (const nlohmann::json& lane : access.value("lanes", nlohmann::json::array())) {
    if (lane.is_number()) return lane.get<double>();
  }
  return std::nullopt;
}

}  // namespace

void ask_for_trace() {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("warpwise_trace_{}.json", ::getpid());
  ::setenv(trace_variable, file.c_str(), 0);
  ::setenv("WARPWISE_TRACE_STEPS", "4000", 0);
}

std::string take_trace() {
  const char* file = std::getenv(trace_variable);
  if (file == nullptr) return {};
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return text;
}

double largest_jump(std::string_view trace, std::string_view array) {
  const nlohmann::json json = nlohmann::json::parse(trace, nullptr, false);
  if (!json.is_object()) return 0;
  std::optional<double> before;
  double largest = 0;
  for (const nlohmann::json& step : json.value("steps", nlohmann::json::array())) {
    for (const nlohmann::json& access : step.value("accesses", nlohmann::json::array())) {
      const std::string name = json["arrays"][access.value("array", 0U)].value("name", "");
      if (name != array || access.value("store", false) || access.value("atomic", false)) continue;
      const std::optional<double> offset = first_offset(access);
      if (offset && before) largest = std::max(largest, std::abs(*offset - *before));
      if (offset) before = offset;
    }
  }
  return largest;
}

}  // namespace warpwise::lesson
