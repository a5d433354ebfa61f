#pragma once
#include <filesystem>
#include <string>

namespace warpwise::tutor {

/// The entries that the simulator appended to its report, one JSON object per line: read as a
/// whole, kept as text.
struct SimReport {
  std::string launches;      ///< the objects, separated by commas.
  bool error = false;        ///< a diagnosis of severity "error" is among them.
  bool unsupported = false;  ///< something could not be simulated.
};

/// Reads the report of a program that has ended. A last line that a kill cut off is left out.
SimReport read_sim_report(const std::filesystem::path& file);

/// The exit status of `learn sim`: 1 if an error was diagnosed, 3 if something is unsupported, else
/// the program's own.
int sim_status(const SimReport& report, int program_status);

/// The JSON of `sim --json`: program, both exit statuses, launches.
std::string sim_json(const SimReport& report, const std::string& program, int program_status,
                     int status);

}  // namespace warpwise::tutor
