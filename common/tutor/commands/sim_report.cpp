#include "tutor/commands/sim_report.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tutor/system/failure.h"

namespace warpwise::tutor {

using Json = nlohmann::json;

namespace {

bool has_error(const Json& launch) {
  const auto diagnoses = launch.find("diagnoses");
  if (diagnoses == launch.end() || !diagnoses->is_array()) return false;
  for (const Json& diagnosis : *diagnoses) {
    const auto severity = diagnosis.is_object() ? diagnosis.find("severity") : diagnosis.end();
    if (severity != diagnosis.end() && *severity == "error") return true;
  }
  return false;
}

bool is_unsupported(const Json& launch) {
  const auto text = launch.find("unsupported");
  return text != launch.end() && text->is_string() && !text->get_ref<const std::string&>().empty();
}

}  // namespace

SimReport read_sim_report(const std::filesystem::path& file) {
  SimReport report;
  std::ifstream lines(file, std::ios::binary);
  for (std::string line; std::getline(lines, line);) {
    const Json launch = Json::parse(line, nullptr, false);
    if (!launch.is_object()) continue;
    report.error |= has_error(launch);
    report.unsupported |= is_unsupported(launch);
    if (!report.launches.empty()) report.launches += ",\n";
    report.launches += line;
  }
  return report;
}

int sim_status(const SimReport& report, int program_status) {
  if (report.error) return status_wrong;
  return report.unsupported ? status_environment : program_status;
}

std::string sim_json(const SimReport& report, const std::string& program, int program_status,
                     int status) {
  const std::string name = Json(program).dump(-1, ' ', false, Json::error_handler_t::replace);
  return fmt::format(
      "{{\"program\": {}, \"program_status\": {}, \"status\": {}, \"launches\": [\n{}\n]}}\n", name,
      program_status, status, report.launches);
}

}  // namespace warpwise::tutor
