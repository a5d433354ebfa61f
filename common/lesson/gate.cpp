#include "lesson/gate.h"

#include <fmt/format.h>

#include <cmath>

namespace warpwise::lesson {
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
    case Measure::beside_copies:
      return line.beside_copies;
    case Measure::resident_warps:
    case Measure::own_shared_bytes:
    case Measure::local_bytes:
    case Measure::matrix_products:
      break;
  }
  return 0;
}

/// "global" is part of "global load"; "global load" only of itself.
bool is_of(const std::string& access, const std::string& wanted) {
  return access == wanted || access.rfind(wanted + " ", 0) == 0;
}

}  // namespace

bool is_of_launch(Measure measure) { return measure >= Measure::resident_warps; }

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

GateResult judge(const Gate& gate, const std::vector<LineCounts>& lines) {
  GateResult result;
  result.gate = gate;
  double compiled = 0;
  double largest = -1;
  for (const LineCounts& line : lines) {
    if (!is_of(line.access, gate.access)) continue;
    const double value = measured(line, gate.measure) / gate.per;
    result.saw += value;
    if (line.compiled) compiled += value;
    if (!line.compiled && value > 0) result.confirmed = false;
    if (value <= largest) continue;
    largest = value;
    result.file = line.file;
    result.line = line.line;
  }
  // Half of the least step a count can make, so that dividing cannot tip the scales.
  const double slack = 0.5 / gate.per;
  result.met = compiled <= gate.at_most + slack && result.saw >= gate.at_least - slack;
  return result;
}

GateResult judge(const Gate& gate, double number) {
  GateResult result;
  result.gate = gate;
  result.saw = number / gate.per;
  result.met = result.saw >= gate.at_least && result.saw <= gate.at_most;
  return result;
}

}  // namespace warpwise::lesson
