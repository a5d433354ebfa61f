#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "simulator/ptx/parser.h"

/// Registers: their declarations, and the registers that names refer to.
namespace warpwise::ptx {

void BodyReader::registers() {
  std::string type_name = word();
  const unsigned width = vector_width(type_name);
  if (width) type_name = word();
  auto type = isa::type_named(type_name.substr(1));
  if (!type) fail("no such register type: " + type_name);
  do {
    const std::string name = word();
    if (accept("<")) {
      std::int64_t count = integer();
      expect(">");
      // A text that declares many registers also uses them, and each use is text: damaged texts
      // stay harmless.
      const std::size_t most = 1'000'000 + lexer_.text_size();
      if (count < 0 || count > 1'000'000) fail("too many registers");
      declared_registers_ += static_cast<std::size_t>(count) * std::max(1u, width);
      if (declared_registers_ > most) fail("too many registers");
      const auto first = static_cast<int>(function_->registers.size());
      for (std::int64_t i = 0; i < count; ++i)
        new_registers(name + std::to_string(i), *type, width);
      scopes_.back().families.push_back({name, first, static_cast<int>(count), width});
    } else {
      scopes_.back().names[name] = {new_registers(name, *type, width), width};
    }
  } while (accept(","));
  expect(";");
}

/// One register, or a vector of several. @return the first.
int BodyReader::new_registers(const std::string& name, isa::Type type, unsigned width) {
  const auto first = static_cast<int>(function_->registers.size());
  if (width == 0) function_->registers.push_back({name, type});
  for (unsigned i = 0; i < width; ++i)
    function_->registers.push_back({name + "." + "xyzw"[i], type});
  return first;
}

std::optional<NamedRegisters> BodyReader::find_registers(std::string_view name) const {
  std::size_t digits = name.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1]))) --digits;
  int index = digits < name.size() && name.size() - digits < 9
                  ? std::atoi(std::string(name.substr(digits)).c_str())
                  : -1;
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    if (auto found = scopes_[i].names.find(name); found != scopes_[i].names.end())
      return found->second;
    for (const Scope::Family& family : scopes_[i].families)
      if (index >= 0 && index < family.count && family.prefix == name.substr(0, digits))
        return NamedRegisters{family.first + index * static_cast<int>(std::max(1u, family.width)),
                              family.width};
  }
  return std::nullopt;
}

/// @return -1 where the name is that of a vector, or of no register.
int BodyReader::find_register(std::string_view name) const {
  if (const auto found = find_registers(name)) return found->width ? -1 : found->first;
  if (name.size() < 3 || name[name.size() - 2] != '.') return -1;
  const auto vector = find_registers(name.substr(0, name.size() - 2));
  const std::size_t element = std::min(std::string_view("xyzw").find(name.back()),
                                       std::string_view("rgba").find(name.back()));
  return vector && element < vector->width ? vector->first + static_cast<int>(element) : -1;
}

}  // namespace warpwise::ptx
