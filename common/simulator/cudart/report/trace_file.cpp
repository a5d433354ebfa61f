#include "simulator/cudart/report/trace_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "simulator/cudart/device/settings.h"
#include "simulator/cudart/report/console.h"

namespace warpwise::cudart {

std::optional<watch::Trace> wanted_trace(const std::string& kernel) {
  const Settings& wanted = settings();
  if (wanted.trace_file.empty()) return {};
  if (kernel.find(wanted.trace.kernel) == std::string::npos) return {};
  return watch::Trace(wanted.trace);
}

void keep_trace(const watch::Trace& trace, const watch::LaunchReport& launch) {
  if (!trace.has_steps()) return;
  const std::string& file = settings().trace_file;
  const std::string unfinished = file + ".part";
  std::ofstream out(unfinished, std::ios::binary);
  out << trace.to_json(launch);
  out.close();
  if (!out || std::rename(unfinished.c_str(), file.c_str()) != 0) {
    stop(fmt::format("simulator: the trace {} cannot be written: {}", file, std::strerror(errno)));
  }
}

}  // namespace warpwise::cudart
