#include "lesson/exercise_comparison.h"

#include <fmt/format.h>

#include "lesson/print/text.h"

namespace warpwise::lesson {
namespace {

/// One kind of access: its counters.
struct Access {
  const char* name;
  const char* requests;
  const char* units;
  const char* unit_name;
  const char* conflicts;  ///< or null.
};

constexpr Access accesses[] = {
    {"global loads", counter::load_requests, counter::load_sectors, "sectors of each", nullptr},
    {"global stores", counter::store_requests, counter::store_sectors, "sectors of each", nullptr},
    {"shared loads", counter::shared_load_requests, counter::shared_load_wavefronts,
     "wavefronts of each", counter::load_conflicts},
    {"shared stores", counter::shared_store_requests, counter::shared_store_wavefronts,
     "wavefronts of each", counter::store_conflicts}};

std::string line(const std::string& name, const std::string& yours, const std::string& solution) {
  return fmt::format("  {:40}{:>15}{:>15}\n", name, yours, solution);
}

std::string counted(const ExerciseRow& row, const char* name) {
  const auto found = row.counts.counters.find(name);
  return found == row.counts.counters.end() ? "-" : short_number(found->second);
}

std::string ratio(const ExerciseRow& row, const Access& access) {
  const auto& counters = row.counts.counters;
  const double requests = row.counts.value(access.requests);
  if (requests == 0 || !counters.contains(access.units)) return "-";
  return short_number(row.counts.value(access.units) / requests);
}

std::string counts_lines(const ExerciseRow& yours, const ExerciseRow& solution) {
  std::string text;
  for (const Access& access : accesses) {
    const double requests =
        yours.counts.value(access.requests) + solution.counts.value(access.requests);
    if (requests == 0) continue;
    text += fmt::format("  {}\n", access.name);
    text += line("  requests", counted(yours, access.requests), counted(solution, access.requests));
    text +=
        line(fmt::format("  {}", access.unit_name), ratio(yours, access), ratio(solution, access));
    if (access.conflicts == nullptr) continue;
    text += line("  bank conflicts", counted(yours, access.conflicts),
                 counted(solution, access.conflicts));
  }
  return text;
}

/// The count that the gate of that name saw; a dash where the check did not come so far.
std::string seen(const ExerciseRow& row, const std::string& gate) {
  if (!row.judged) return "-";
  for (const GateResult& result : row.judged->gates) {
    if (result.gate.name == gate) return result.saw_text() + (result.met ? "" : " (missed)");
  }
  return "-";
}

std::string gate_lines(const ExerciseRow& yours, const ExerciseRow& solution) {
  std::string text;
  for (const GateResult& result : solution.judged->gates) {
    if (text.empty()) text = "  gates\n";
    const std::string& name = result.gate.name;
    text += line(fmt::format("  {} (wanted {})", name, result.wanted()), seen(yours, name),
                 seen(solution, name));
  }
  return text;
}

std::string footprint_lines(const ExerciseRow& yours, const ExerciseRow& solution) {
  std::string text;
  const auto add = [&](const char* name, auto value) {
    const auto of = [&](const ExerciseRow& row) -> std::string {
      if (!row.judged || !row.judged->footprint) return "-";
      return std::to_string(value(*row.judged->footprint));
    };
    if (of(yours) == "-" && of(solution) == "-") return;
    if (text.empty()) text = "  occupancy\n";
    text += line(name, of(yours), of(solution));
  };
  add("  registers of a thread", [](const Footprint& f) { return f.registers; });
  add("  shared bytes of a block",
      [](const Footprint& f) { return f.static_shared_bytes + f.dynamic_shared_bytes; });
  add("  threads of a block", [](const Footprint& f) { return f.threads; });
  add("  blocks on an SM", [](const Footprint& f) { return f.blocks; });
  add("  warps on an SM", [](const Footprint& f) { return f.warps; });
  return text;
}

std::string size_of(const ExerciseRow& row) {
  return row.judged && !row.judged->counted_size.empty() ? row.judged->counted_size : "-";
}

}  // namespace

std::string comparison_text(const ExerciseRow& yours, const ExerciseRow& solution) {
  std::string text = fmt::format("\n{}\n\n", yours.exercise) + line("", "yours", "solution");
  text +=
      line("verdict", yours.verdict == "gate" ? "missed gate" : yours.verdict, solution.verdict);
  text += line("counted at size", size_of(yours), size_of(solution));
  text += counts_lines(yours, solution);
  if (solution.judged) text += gate_lines(yours, solution);
  text += footprint_lines(yours, solution);
  for (const ExerciseRow* row : {&yours, &solution}) {
    if (row->message.empty()) continue;
    text += "\n" + paragraph(fmt::format("{}: ", row->whose), row->message, 2);
  }
  return text;
}

}  // namespace warpwise::lesson
