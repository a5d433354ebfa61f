#include "verification/conformance/assumptions.h"

#include <fmt/format.h>

#include "verification/conformance/random/registers.h"

namespace warpwise::conformance {
namespace {

std::string_view format_of(isa::Type type) {
  return isa::is_float(type) ? isa::name_of(type) : "integer";
}

}  // namespace

void Assumptions::written(const std::string& name, isa::Type type, bool guarded) {
  format_of_[name] = guarded ? mixed : format_of(type);
}

void Assumptions::merged() {
  format_of_.clear();
  otherwise_ = mixed;
}

std::string Assumptions::forget(const std::string& name, isa::Type type) {
  if (type == isa::Type::pred || !name.starts_with('%')) return "";
  auto at = format_of_.find(name);
  std::string_view format = at == format_of_.end() ? otherwise_ : at->second;
  if (format == nothing || format == format_of(type)) return "";
  received(name);
  return opaque_copy(name, name, type);
}

std::string opaque_copy(const std::string& to, const std::string& from, isa::Type type) {
  unsigned c = class_of(type);
  return fmt::format("  xor.b{} {}, {}, {};\n", 16u << c, to, from, unknown_zeros[c]);
}

}  // namespace warpwise::conformance
