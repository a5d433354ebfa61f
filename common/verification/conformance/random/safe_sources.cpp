#include "verification/conformance/random/safe_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "verification/conformance/assumptions.h"
#include "verification/conformance/random/registers.h"

namespace warpwise::conformance {
namespace {

using isa::Type;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

constexpr std::string_view extrema[] = {"min", "max"};
constexpr std::string_view shifts[] = {"shl", "shr"};
constexpr std::string_view bit_fields[] = {"bfe", "bfi"};
constexpr std::string_view divisions[] = {"div", "rem"};
/// Instructions that may have to choose between NaNs.
constexpr std::string_view computes[] = {"add", "sub", "mul", "div", "fma", "mad", "min", "max"};

}  // namespace

std::string SafeSources::take(std::string name, Type type) {
  ++taken_;
  bool constant = !name.starts_with('%');
  if (taken_ == 2 && !isa::is_float(type) && is_one_of(mnemonic_, divisions))
    return divisor(name, type);
  bool hide =
      is_one_of(mnemonic_, shifts) || (isa::is_float(type) && is_one_of(mnemonic_, extrema));
  if (taken_ == 2 && !constant && hide) {
    std::string hidden = scratch_of(type);
    before_ += opaque_copy(hidden, name, type);
    name = hidden;
  }
  if (taken_ == 1) bits_ = 8 * isa::size_bytes(type);
  if (constant && taken_ > 1 && type == Type::u32 && bits_ == 32 &&
      is_one_of(mnemonic_, bit_fields))
    return place(name);
  if (type == Type::f64 && !constant && is_one_of(mnemonic_, computes)) return only_nan(name);
  return name;
}

std::string SafeSources::divisor(const std::string& name, Type type) {
  unsigned bits = 8 * isa::size_bytes(type);
  std::string safe = scratch_of(type);
  before_ += fmt::format("  and.b{0} {1}, {2}, {3:#x};\n  or.b{0} {1}, {1}, 1;\n", bits, safe, name,
                         (1ull << (bits - 1)) - 1);
  return safe;
}

std::string SafeSources::place(const std::string& constant) {
  if (std::stoul(constant, nullptr, 0) < bits_) return constant;
  std::string hidden = fmt::format("%a{}", taken_ % 2 + 1);
  before_ += opaque_copy(hidden, constant, Type::b32);
  return hidden;
}

std::string SafeSources::only_nan(const std::string& name) {
  if (wide_.empty() || std::find(wide_.begin(), wide_.end(), name) != wide_.end()) {
    wide_.push_back(name);
    return name;
  }
  // setp.nan is true where one of its two operands is NaN.
  constexpr const char* scratch[] = {"%b1", "%b2"};
  std::string safe = scratch[wide_.size() - 1];
  before_ += fmt::format(
      "  setp.nan.f64 %q0, {}, {};\n  setp.nan.and.f64 %q0, {}, {}, %q0;\n"
      "  selp.f64 {}, 0d3FF0000000000000, {}, %q0;\n",
      wide_.front(), wide_.back(), name, name, safe, name);
  wide_.push_back(safe);
  return safe;
}

}  // namespace warpwise::conformance
