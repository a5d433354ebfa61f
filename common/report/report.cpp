#include "report/report.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpwise::report {
namespace {

std::optional<double> ratio(double sectors, double requests) {
  if (requests == 0) return std::nullopt;
  return sectors / requests;
}

}  // namespace

bool Diagnosis::fails_exercise() const {
  constexpr std::array<std::string_view, 3> also = {"barrier-divergence", "invalid-shuffle",
                                                    "leak"};
  return is_error() || std::find(also.begin(), also.end(), kind) != also.end();
}

void LineCounts::add(const LineCounts& other) {
  requests += other.requests;
  sectors += other.sectors;
  wavefronts += other.wavefronts;
  ideal_wavefronts += other.ideal_wavefronts;
  during_copies += other.during_copies;
  loads_in_flight = std::max(loads_in_flight, other.loads_in_flight);
  compiled = compiled && other.compiled;
  confirmed = confirmed && other.confirmed;
}

void Counts::add(const Counts& other) {
  arrays.insert(arrays.end(), other.arrays.begin(), other.arrays.end());
  for (const auto& [name, value] : other.counters) counters[name] += value;
  for (const LineCounts& line : other.lines) {
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const LineCounts& own) {
      return own.file == line.file && own.line == line.line && own.access == line.access;
    });
    if (same == lines.end()) {
      lines.push_back(line);
      continue;
    }
    same->add(line);
  }
}

bool Counts::is_known(const char* name) const {
  return counters.contains(name) || value((std::string("ptx__") + name).c_str()) == 0;
}

double Counts::value(const char* name) const {
  const auto at = counters.find(name);
  return at == counters.end() ? 0 : at->second;
}

std::optional<double> Counts::sectors_per_load() const {
  return ratio(value(counter::load_sectors), value(counter::load_requests));
}

std::optional<double> Counts::sectors_per_store() const {
  return ratio(value(counter::store_sectors), value(counter::store_requests));
}

double Counts::bank_conflicts() const {
  return value(counter::load_conflicts) + value(counter::store_conflicts);
}

}  // namespace warpwise::report
