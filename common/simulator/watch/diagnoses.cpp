#include "simulator/watch/diagnoses.h"

namespace warpwise::watch {
namespace {

Index3 unflatten(std::uint64_t linear, const Index3& size) {
  return {static_cast<unsigned>(linear % size[0]), static_cast<unsigned>(linear / size[0] % size[1]),
          static_cast<unsigned>(linear / size[0] / size[1])};
}

bool comes_first(const Finding& a, const Finding& b) {
  return std::tie(a.block, a.thread) < std::tie(b.block, b.thread);
}

}  // namespace

void Diagnoses::report(Finding finding) {
  auto [entry, is_new] = findings_.try_emplace({finding.kind, finding.instruction}, finding);
  if (is_new) return;
  std::uint64_t count = entry->second.count + finding.count;
  if (comes_first(finding, entry->second)) entry->second = std::move(finding);
  entry->second.count = count;
}

void Diagnoses::add(const Diagnoses& other) {
  for (const auto& [key, finding] : other.findings_) report(finding);
}

void Diagnoses::stop_at(std::uint64_t block) {
  std::erase_if(findings_, [&](const auto& entry) { return entry.second.block > block; });
}

void Diagnoses::write(LaunchReport& report, const code::Program& program) const {
  for (const auto& [key, finding] : findings_) {
    const code::Place& place = program.places[program.code[finding.instruction].place];
    Diagnosis diagnosis;
    diagnosis.kind = finding.kind;
    diagnosis.severity = finding.severity;
    diagnosis.message = finding.message;
    diagnosis.file = place.file;
    diagnosis.line = place.line;
    diagnosis.library_file = place.library_file;
    diagnosis.library_line = place.library_line;
    diagnosis.block = unflatten(finding.block, report.grid);
    diagnosis.thread = unflatten(finding.thread, report.block);
    diagnosis.count = finding.count;
    report.diagnoses.push_back(std::move(diagnosis));
  }
}

}  // namespace warpwise::watch
