#include "tutor/commands/sim_report.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "report/report_json.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {

using Json = nlohmann::json;

SimReport read_sim_report(const std::filesystem::path& file) {
  SimReport sim;
  std::ifstream lines(file, std::ios::binary);
  for (std::string line; std::getline(lines, line);) {
    const Json object = Json::parse(line, nullptr, false);
    if (!object.is_object()) continue;
    try {
      const auto launch = object.get<report::LaunchReport>();
      for (const report::Diagnosis& found : launch.diagnoses) sim.error |= found.is_error();
      sim.unsupported |= !launch.unsupported.empty();
    } catch (const Json::exception&) {
      continue;
    }
    if (!sim.launches.empty()) sim.launches += ",\n";
    sim.launches += line;
  }
  return sim;
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
