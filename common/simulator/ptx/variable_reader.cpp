#include <bit>
#include <cstring>

#include "simulator/ptx/parser.h"

namespace warpwise::ptx {
namespace {

/// A variable may not ask for more than a GPU could hold: keeps damaged texts harmless.
constexpr std::uint64_t most_bytes = 1ull << 38;

}  // namespace

std::vector<Variable> VariableReader::variables(Space space, Linkage linkage) {
  unsigned alignment = 0, vector = 1;
  bool is_managed = false;
  isa::Type type = isa::Type::b8;
  while (lexer_.peek().text.starts_with('.')) {
    std::string attribute = word();
    if (attribute == ".align") {
      alignment = static_cast<unsigned>(integer());
    } else if (attribute == ".v2" || attribute == ".v4") {
      vector = attribute == ".v2" ? 2 : 4;
    } else if (attribute == ".attribute") {
      is_managed |= managed_attribute();
    } else if (attribute == ".ptr" || attribute == ".global") {
      continue;
    } else if (auto named = isa::type_named(attribute.substr(1))) {
      type = *named;
      if (type == isa::Type::pred) fail("a variable in memory cannot be a predicate");
    } else {
      fail("no such attribute of a variable: " + attribute);
    }
  }
  std::vector<Variable> result;
  do {
    Variable variable;
    variable.space = space;
    variable.linkage = linkage;
    variable.is_managed = is_managed;
    variable.name = word();
    unsigned element = isa::size_bytes(type) * vector;
    variable.alignment = alignment ? alignment : element;
    if (!std::has_single_bit(variable.alignment)) fail("an alignment must be a power of two");
    std::uint64_t count = 1;
    while (accept("[")) {
      count = at("]") ? 0 : count * static_cast<std::uint64_t>(integer());
      if (count * element > most_bytes) fail("the variable is larger than any GPU's memory");
      expect("]");
    }
    variable.bytes = count * element;
    if (accept("=")) initializer(variable, element / vector);
    result.push_back(std::move(variable));
  } while (accept(","));
  expect(";");
  return result;
}

/// Reads the list of `.attribute(.managed)`.
bool VariableReader::managed_attribute() {
  bool is_managed = false;
  expect("(");
  while (!accept(")")) {
    if (at_end()) fail("the text ends inside .attribute");
    is_managed |= lexer_.next().text == ".managed";
  }
  return is_managed;
}

void VariableReader::initializer(Variable& variable, unsigned element_bytes) {
  if (!accept("{")) return initial_value(variable, element_bytes);
  do {
    if (at("{"))
      initializer(variable, element_bytes);
    else
      initial_value(variable, element_bytes);
  } while (accept(","));
  expect("}");
}

void VariableReader::initial_value(Variable& variable, unsigned element_bytes) {
  std::size_t offset = variable.initial.size();
  if (offset + element_bytes > variable.bytes) fail("more initial values than elements");
  variable.initial.resize(offset + element_bytes);
  const bool is_negative = accept("-");
  std::string text = word();
  std::int64_t value = 0;
  if (text.starts_with("0f") || text.starts_with("0F") || text.starts_with("0d") ||
      text.starts_with("0D")) {
    value = static_cast<std::int64_t>(std::strtoull(text.c_str() + 2, nullptr, 16));
  } else if (auto plain = number(text)) {
    value = is_negative ? negative(*plain) : *plain;
  } else {
    if (text == "generic") {
      expect("(");
      text = word();
      expect(")");
    }
    Variable::Reference reference{offset, text, 0};
    if (accept("+")) reference.addend = integer();
    if (element_bytes != 8) fail("an address as initial value needs 8 bytes");
    variable.references.push_back(reference);
  }
  std::memcpy(variable.initial.data() + offset, &value, element_bytes);
}

}  // namespace warpwise::ptx
