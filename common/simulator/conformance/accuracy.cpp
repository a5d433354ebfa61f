#include "simulator/conformance/accuracy.h"

#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace warpwise::conformance {
namespace {

constexpr double everywhere = std::numeric_limits<double>::infinity();
constexpr double pi = 3.14159265358979323846;

// PTX ISA 9.0, chapter "Instruction Set". One ulp of f32 is at most 2^-23 of the number. The first
// entry that fits counts.
constexpr Accuracy table[] = {
    {"div approx f32", 0x1p-22, 0, everywhere},
    {"div full f32", 0x1p-22, 0, everywhere},
    {"rcp approx f32", 0x1p-23, 0, everywhere},
    {"rcp approx f64", 0x1p-20, 0, everywhere},
    {"sqrt approx f32", 0x1p-23, 0, everywhere},
    {"rsqrt approx f32", 0x1.13p-23, 0, everywhere},
    {"rsqrt approx f64", 0x1p-20, 0, everywhere},
    {"sin approx f32", 0, 0x1.6ap-21, 2 * pi},
    {"sin approx f32", 0, 0x1.3ap-15, 100 * pi},
    {"cos approx f32", 0, 0x1.6ap-21, 2 * pi},
    {"cos approx f32", 0, 0x1.3ap-15, 100 * pi},
    // The absolute error holds between 1/2 and 2, where the logarithm is at most 1 in magnitude.
    {"lg2 approx f32", 0x1p-22, 0x1p-22, everywhere},
    {"ex2 approx f32", 0x1p-22, 0, everywhere},
    {"ex2 approx f16", 0x1.13p-10, 0, everywhere},
    {"ex2 approx f16x2", 0x1.13p-10, 0, everywhere},
    {"ex2 approx bf16", 0x1p-7, 0, everywhere},
    {"ex2 approx bf16x2", 0x1p-7, 0, everywhere},
    {"tanh approx f32", 0x1p-11, 0, everywhere},
    {"tanh approx f16", 0, 0x1.03p-11, everywhere},
    {"tanh approx f16x2", 0, 0x1.03p-11, everywhere},
    {"tanh approx bf16", 0, 0x1p-8, everywhere},
    {"tanh approx bf16x2", 0, 0x1p-8, everywhere},
};

/// True if the opcode has all words of the entry, in their order.
bool fits(const Accuracy& entry, const std::string& opcode) {
  std::istringstream wanted{std::string(entry.opcode)};
  std::string dotted = opcode + ".", word;
  std::size_t at = 0;
  while (wanted >> word) {
    at = dotted.find(at == 0 ? word + "." : "." + word + ".", at);
    if (at == std::string::npos || (word == entry.opcode.substr(0, word.size()) && at != 0))
      return false;
    at += word.size();
  }
  return true;
}

double largest_magnitude(const Fixture& fixture, const std::vector<Value>& sources) {
  double largest = 0;
  for (std::size_t k = 0; k < sources.size(); ++k)
    for (double number : numbers_of(fixture.sources()[k], sources[k]))
      if (std::fabs(number) > largest) largest = std::fabs(number);
  return largest;
}

/// Half a unit in the last place of what the exact result is rounded to, relative and absolute.
struct Rounding {
  double relative, absolute;
};
Rounding rounding_of(isa::Type type) {
  switch (type) {
    case isa::Type::f64:
      return {0x1p-53, 0x1p-1074};
    case isa::Type::f32:
      return {0x1p-24, 0x1p-149};
    case isa::Type::bf16:
    case isa::Type::bf16x2:
      return {0x1p-8, 0x1p-133};
    default:
      return {0x1p-11, 0x1p-24};
  }
}

bool near(const Accuracy& accuracy, isa::Type type, double got, double want) {
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
  if (std::isinf(got) || std::isinf(want)) return got == want;
  Rounding rounding = rounding_of(type);
  double allowed = accuracy.absolute + rounding.absolute +
                   (accuracy.relative + rounding.relative) * std::fabs(want);
  return std::fabs(got - want) <= allowed;
}

}  // namespace

std::optional<Accuracy> documented_error(const Variant& variant) {
  for (const Accuracy& entry : table)
    if (fits(entry, variant.opcode)) return entry;
  return std::nullopt;
}

bool agrees(const Fixture& fixture, const Bytes& got, const Bytes& want, std::size_t lane,
            const std::vector<Value>& sources) {
  for (std::size_t k = 0; k < fixture.destinations().size(); ++k) {
    Value a = fixture.at(got, k, lane), b = fixture.at(want, k, lane);
    if (a.low == b.low && a.high == b.high) continue;
    isa::Type type = fixture.destinations()[k];
    std::vector<double> x = numbers_of(type, a), y = numbers_of(type, b);
    const Accuracy* accuracy = nullptr;
    double magnitude = largest_magnitude(fixture, sources);
    bool documented = false;
    for (const Accuracy& entry : table) {
      if (!fits(entry, fixture.variant().opcode)) continue;
      documented = true;
      if (!accuracy && magnitude <= entry.range) accuracy = &entry;
    }
    if (!documented || x.empty()) return false;
    for (std::size_t i = 0; accuracy && i < x.size(); ++i)
      if (!near(*accuracy, type, x[i], y[i])) return false;
  }
  return true;
}

}  // namespace warpwise::conformance
