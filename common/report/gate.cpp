#include "report/gate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace warpwise::report {
namespace {

double measured(const LineCounts& line, Measure measure) {
  switch (measure) {
    case Measure::requests:
      return line.requests;
    case Measure::sectors:
      return line.sectors;
    case Measure::wavefronts:
      return line.wavefronts;
    case Measure::bank_conflicts:
      return line.wavefronts - line.ideal_wavefronts;
    case Measure::during_copies:
      return line.during_copies;
    case Measure::loads_in_flight:
    case Measure::resident_warps:
    case Measure::own_shared_bytes:
    case Measure::local_bytes:
    case Measure::matrix_products:
    case Measure::barriers:
    case Measure::waves:
    case Measure::jump:
    case Measure::threads:
    case Measure::warps:
    case Measure::most_of_thread:
    default:
      break;
  }
  return 0;
}

/// "global" is part of "global load"; "global load" only of itself.
bool is_of(const std::string& access, const std::string& wanted) {
  return access == wanted || access.rfind(wanted + " ", 0) == 0;
}

double measured(const ArrayCounts& array, Measure measure) {
  return measure == Measure::threads ? array.threads
         : measure == Measure::warps ? array.warps
                                     : array.most_of_thread;
}

/// The threads that take part, by the kind of access that has most.
double participants(const Gate& gate, const std::vector<ArrayCounts>& arrays) {
  double most = 0;
  for (const ArrayCounts& array : arrays) {
    const bool is_meant = gate.array.empty() || array.array == gate.array;
    if (is_meant && is_of(array.access, gate.access)) {
      most = std::max(most, measured(array, gate.measure));
    }
  }
  return most;
}

/// The requests or sectors of the gate's array alone.
double accesses_of_array(const Gate& gate, const std::vector<ArrayCounts>& arrays) {
  double sum = 0;
  for (const ArrayCounts& array : arrays) {
    if (array.array != gate.array || !is_of(array.access, gate.access)) continue;
    sum += gate.measure == Measure::sectors ? array.sectors : array.requests;
  }
  return sum;
}

/// The part of a count of accesses to global memory that goes to the arrays that the check has
/// named.
double named_part(const Gate& gate, const std::vector<ArrayCounts>& arrays, double all) {
  const bool has_names = std::any_of(arrays.begin(), arrays.end(),
                                     [](const ArrayCounts& array) { return !array.array.empty(); });
  const bool is_by_array = gate.measure == Measure::requests || gate.measure == Measure::sectors;
  if (!has_names || !is_by_array || gate.access.rfind("global", 0) != 0) return all;
  double others = 0;
  for (const ArrayCounts& array : arrays) {
    if (!array.array.empty() || !is_of(array.access, gate.access)) continue;
    others += gate.measure == Measure::sectors ? array.sectors : array.requests;
  }
  return all - others / gate.per;
}

/// Of the line with most requests, where the kernel waits most: of equals, of the one with least.
GateResult judge_loads_in_flight(const Gate& gate, const std::vector<LineCounts>& lines) {
  LineCounts busiest;
  for (const LineCounts& line : lines) {
    if (!is_of(line.access, gate.access) || line.requests < busiest.requests) continue;
    const bool is_busier = line.requests > busiest.requests;
    if (is_busier || line.loads_in_flight < busiest.loads_in_flight) busiest = line;
  }
  GateResult result = judge(gate, busiest.loads_in_flight);
  result.file = busiest.file;
  result.line = busiest.line;
  return result;
}

/// The words for accesses to shared memory.
std::string announced_shared(const Gate& gate) {
  if (gate.measure == Measure::bank_conflicts || gate.measure == Measure::wavefronts) {
    return gate.measure == Measure::bank_conflicts && gate.at_most > 0 ? "few bank conflicts"
                                                                       : "no bank conflicts";
  }
  if (gate.measure == Measure::during_copies) return "work while a copy is in flight";
  if (gate.access == "shared atomic") return "no atomics in shared memory";
  if (gate.at_most == 0) {
    return gate.access == "shared store" ? "no stores to shared memory" : "no shared memory";
  }
  return gate.at_least > 0 ? "through shared memory" : "few accesses to shared memory";
}

std::string announced_global(const Gate& gate) {
  if (gate.access == "global atomic") return "no atomics in global memory";
  if (gate.measure == Measure::sectors) return "whole sectors";
  return gate.access == "global store" ? "few store requests" : "few load requests";
}

}  // namespace

std::string announcement(const Gate& gate) {
  if (!gate.announced.empty()) return gate.announced;
  switch (gate.measure) {
    case Measure::loads_in_flight:
      return fmt::format("at least {} loads in flight per thread", short_number(gate.at_least));
    case Measure::resident_warps:
      return fmt::format("at least {} resident warps per SM", short_number(gate.at_least));
    case Measure::own_shared_bytes:
      return "no shared memory of your own";
    case Measure::local_bytes:
      return "arrays in registers";
    case Measure::matrix_products:
      return "the tensor cores";
    case Measure::barriers:
      return "few barriers of whole blocks";
    case Measure::waves:
      return "one full wave";
    case Measure::threads:
      return "every thread takes part";
    case Measure::warps:
      return "every warp takes part";
    case Measure::most_of_thread:
      return "the work is spread over the threads";
    default:
      return gate.access.rfind("shared", 0) == 0 ? announced_shared(gate) : announced_global(gate);
  }
}

std::string announcement(const std::vector<Gate>& gates) {
  std::vector<std::string> words;
  for (const Gate& gate : gates) {
    const std::string next = announcement(gate);
    if (std::find(words.begin(), words.end(), next) == words.end()) words.push_back(next);
  }
  return words.empty() ? "" : fmt::format("Also checked: {}.", fmt::join(words, "; "));
}

std::vector<Gate> with_implied(std::vector<Gate> gates) {
  const bool is_counted = std::any_of(gates.begin(), gates.end(), [](const Gate& gate) {
    return gate.access == "global atomic" && !is_of_participants(gate.measure);
  });
  if (!is_counted) {
    gates.push_back({.name = "updates",
                     .what = "atomic operations in global memory",
                     .access = "global atomic",
                     .at_most = 0});
  }
  return gates;
}

bool is_of_launch(Measure measure) {
  return measure >= Measure::resident_warps && measure < Measure::threads;
}

bool is_of_participants(Measure measure) {
  return measure >= Measure::threads && !is_of_operations(measure);
}

bool is_of_operations(Measure measure) { return measure >= Measure::host_waits; }

const char* operations_key(Measure measure) {
  constexpr const char* keys[] = {
      "host_waits",       "longest_chain",         "overlaps",       "launch_calls",
      "graph_launches",   "instantiations",        "child_launches", "pinned_bytes_in",
      "pinned_bytes_out", "allocations_in_flight", "peer_bytes",     "staged_bytes"};
  return keys[static_cast<int>(measure) - static_cast<int>(Measure::host_waits)];
}

std::string short_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string GateResult::saw_text() const { return short_number(saw); }

std::string GateResult::wanted() const {
  if (std::isinf(gate.at_most)) return fmt::format("at least {}", short_number(gate.at_least));
  if (gate.at_most == 0) return "none";
  if (gate.at_least == 0) return fmt::format("at most {}", short_number(gate.at_most));
  if (gate.at_least == gate.at_most) return short_number(gate.at_least);
  return fmt::format("{} to {}", short_number(gate.at_least), short_number(gate.at_most));
}

GateResult judge(const Gate& gate, const std::vector<LineCounts>& lines,
                 const std::vector<ArrayCounts>& arrays) {
  if (gate.measure == Measure::loads_in_flight) return judge_loads_in_flight(gate, lines);
  GateResult result;
  result.gate = gate;
  const bool is_of_lines = !is_of_participants(gate.measure);
  double compiled = 0;
  double largest = -1;
  for (const LineCounts& line : lines) {
    if (!is_of(line.access, gate.access)) continue;
    const double value = is_of_lines ? measured(line, gate.measure) / gate.per : line.requests;
    if (is_of_lines) {
      result.saw += value;
      if (line.compiled) compiled += value;
      if (!line.compiled && value > 0) result.confirmed = false;
    }
    if (value <= largest) continue;
    largest = value;
    result.file = line.file;
    result.line = line.line;
  }
  if (!is_of_lines) compiled = result.saw = participants(gate, arrays) / gate.per;
  if (is_of_lines && !gate.array.empty()) {
    compiled = result.saw = accesses_of_array(gate, arrays) / gate.per;
  }
  // An atomic is never merged with others, nor left away.
  if (gate.access == "global atomic") compiled = result.saw;
  // Half of the least step a count can make, so that dividing cannot tip the scales.
  const double slack = 0.5 / gate.per;
  const bool is_of_all = is_of_lines && gate.array.empty();
  const double of_named = is_of_all ? named_part(gate, arrays, result.saw) : result.saw;
  const bool is_enough = of_named >= gate.at_least - slack;
  result.met = compiled <= gate.at_most + slack && is_enough;
  if (!is_enough) result.saw = of_named;
  return result;
}

GateResult judge(const Gate& gate, double number) {
  GateResult result;
  result.gate = gate;
  result.saw = number / gate.per;
  result.met = result.saw >= gate.at_least && result.saw <= gate.at_most;
  return result;
}

}  // namespace warpwise::report
