#include "tutor/commands/sim_view.h"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "report/report_json.h"

namespace warpwise::tutor {
namespace {

using report::LineCounts;

/// Source lines and kinds of access, in the order of the text.
struct Kernel {
  std::uint64_t launches = 0;
  std::map<std::tuple<std::string, unsigned, std::string>, LineCounts> lines;
};

std::map<std::string, Kernel> kernels_of(const SimReport& sim) {
  std::map<std::string, Kernel> kernels;
  const nlohmann::json launches = nlohmann::json::parse("[" + sim.launches + "]");
  for (const auto& launch : launches.get<std::vector<report::LaunchReport>>()) {
    if (launch.kernel.empty()) continue;
    Kernel& kernel = kernels[launch.kernel];
    ++kernel.launches;
    for (const LineCounts& line : launch.counts.lines) {
      const auto [entry, is_new] =
          kernel.lines.try_emplace({line.file, line.line, line.access}, line);
      if (!is_new) entry->second.add(line);
    }
  }
  return kernels;
}

/// Files that the listing quotes, each read once.
class Sources {
 public:
  /// @return the line without its indentation, "" where the file cannot be read.
  std::string line(const std::string& file, unsigned number) {
    auto [found, is_new] = files_.try_emplace(file);
    if (is_new) {
      std::ifstream stream(file);
      for (std::string text; std::getline(stream, text);) found->second.push_back(text);
    }
    if (number == 0 || number > found->second.size()) return {};
    const std::string& text = found->second[number - 1];
    const std::size_t start = text.find_first_not_of(" \t");
    return start == std::string::npos ? std::string() : text.substr(start);
  }

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

/// "2.0" and the unit: what one request costs.
std::string cost(const LineCounts& counts) {
  const auto per = [&](double count) { return count / counts.requests; };
  if (counts.requests == 0) return {};
  if (counts.sectors > 0) return fmt::format("{:.1f} sectors", per(counts.sectors));
  if (counts.wavefronts == 0) return {};
  if (counts.ideal_wavefronts == 0 || counts.wavefronts == counts.ideal_wavefronts)
    return fmt::format("{:.1f} waves", per(counts.wavefronts));
  return fmt::format("{:.1f} waves, ideal {:.1f}", per(counts.wavefronts),
                     per(counts.ideal_wavefronts));
}

}  // namespace

std::string sim_view(const SimReport& report) {
  std::string text;
  Sources sources;
  bool all_confirmed = true;
  for (const auto& [name, kernel] : kernels_of(report)) {
    text +=
        fmt::format("\n{}: {} launch{}\n", name, kernel.launches, kernel.launches == 1 ? "" : "es");
    if (kernel.lines.empty()) {
      text += "  no access to global or shared memory was counted\n";
      continue;
    }
    text += fmt::format("  {:>11}  {:<21} {:<14}\n", "requests", "each", "access");
    std::string file;
    for (const auto& [key, counts] : kernel.lines) {
      const auto& [path, number, access] = key;
      if (path != file) {
        text +=
            fmt::format("  {}\n", path.empty() ? "an unknown file: compile with -lineinfo" : path);
        file = path;
      }
      all_confirmed &= counts.confirmed;
      text += fmt::format("  {:>11.0f}{} {:<21} {:<14} {:>5} | {}\n", counts.requests,
                          counts.confirmed ? ' ' : '*', cost(counts), access, number,
                          sources.line(path, number));
    }
  }
  if (text.empty()) return "\nno kernel was launched\n";
  if (!all_confirmed) text += "\n  * counted from PTX, the hardware may merge\n";
  return text;
}

}  // namespace warpwise::tutor
