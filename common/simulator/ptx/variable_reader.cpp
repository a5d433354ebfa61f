#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>

#include "simulator/ptx/parser.h"

namespace warpwise::ptx {

bool is_opaque_type(std::string_view attribute) {
  return attribute == ".texref" || attribute == ".samplerref" || attribute == ".surfref";
}

unsigned vector_width(std::string_view attribute) {
  return attribute == ".v2" ? 2 : attribute == ".v4" ? 4 : 0;
}

namespace {

/// A variable may not ask for more than a GPU could hold: keeps damaged texts harmless.
constexpr std::uint64_t most_bytes = 1ull << 38;

}  // namespace

std::vector<Variable> VariableReader::variables(Space space, Linkage linkage) {
  unsigned alignment = 0, vector = 1;
  bool is_managed = false, is_opaque = false;
  isa::Type type = isa::Type::b8;
  while (lexer_.peek().text.starts_with('.')) {
    std::string attribute = word();
    if (attribute == ".align") {
      alignment = static_cast<unsigned>(integer());
    } else if (const unsigned width = vector_width(attribute)) {
      vector = width;
    } else if (attribute == ".attribute") {
      is_managed |= managed_attribute();
    } else if (attribute == ".ptr" || attribute == ".global") {
      continue;
    } else if (is_opaque_type(attribute)) {
      is_opaque = true;
      type = isa::Type::u64;
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
    const unsigned element = isa::size_bytes(type) * vector;
    variable.element_bytes = element;
    variable.alignment = alignment ? alignment : element;
    if (!std::has_single_bit(variable.alignment)) fail("an alignment must be a power of two");
    const Extent extent = extent_of(element);
    variable.bytes = extent.is_open ? most_bytes : extent.bytes;
    const bool is_initialized = accept("=");
    if (is_initialized && is_opaque)
      skip_to("}");
    else if (is_initialized)
      initializer(variable, type, element / vector);
    if (extent.is_open)
      variable.bytes = (variable.initial.size() + extent.bytes - 1) / extent.bytes * extent.bytes;
    result.push_back(std::move(variable));
  } while (accept(","));
  expect(";");
  return result;
}

/// Reads `[4][2]`; the first may be left open, to be found from the initial values.
VariableReader::Extent VariableReader::extent_of(unsigned element_bytes) {
  Extent extent{element_bytes, false};
  while (accept("[")) {
    if (accept("]")) {
      extent.is_open = true;
      continue;
    }
    const auto count = static_cast<std::uint64_t>(integer());
    if (count > most_bytes / std::max<std::uint64_t>(1, extent.bytes))
      fail("the variable is larger than any GPU's memory");
    extent.bytes *= count;
    expect("]");
  }
  if (extent.is_open && extent.bytes == 0) extent.bytes = element_bytes;
  return extent;
}

std::vector<Parameter> VariableReader::parameter_list() {
  std::vector<Parameter> parameters;
  expect("(");
  if (accept(")")) return parameters;
  do {
    Parameter parameter;
    unsigned alignment = 0;
    bool is_pointer = false;
    while (lexer_.peek().text.starts_with('.')) {
      std::string attribute = word();
      if (attribute == ".align") {
        // After .ptr, the alignment is that of the memory that the pointer leads to.
        const auto bytes = static_cast<unsigned>(integer());
        if (!is_pointer) alignment = bytes;
      } else if (attribute == ".ptr") {
        is_pointer = true;
      } else if (attribute == ".reg") {
        parameter.is_register = true;
      } else if (const unsigned width = vector_width(attribute)) {
        parameter.vector = width;
      } else if (is_opaque_type(attribute)) {
        parameter.type = isa::Type::u64;
      } else if (auto named = isa::type_named(attribute.substr(1))) {
        parameter.type = *named;
      }
    }
    parameter.name = word();
    parameter.bytes =
        std::uint64_t{isa::size_bytes(parameter.type)} * std::max(1u, parameter.vector);
    parameter.alignment = alignment ? alignment : static_cast<unsigned>(parameter.bytes);
    if (accept("[")) {
      parameter.bytes *= static_cast<std::uint64_t>(at("]") ? 0 : integer());
      expect("]");
    }
    parameters.push_back(parameter);
  } while (accept(","));
  expect(")");
  return parameters;
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

/// Braces inside the list do not matter: the values fill the variable in their order.
void VariableReader::initializer(Variable& variable, isa::Type type, unsigned element_bytes) {
  if (!accept("{")) return initial_value(variable, type, element_bytes);
  const Nesting nesting(*this);
  do {
    if (at("{"))
      initializer(variable, type, element_bytes);
    else
      initial_value(variable, type, element_bytes);
  } while (accept(","));
  expect("}");
}

void VariableReader::initial_value(Variable& variable, isa::Type type, unsigned element_bytes) {
  const std::size_t offset = variable.initial.size();
  if (offset + element_bytes > variable.bytes) fail("more initial values than elements");
  variable.initial.resize(offset + element_bytes);
  if (const bool is_name = at_name(); is_name || at_mask()) {
    Variable::Reference reference{offset, {}, 0};
    reference.bytes = std::min(8u, element_bytes);
    if (is_name)
      initial_address(reference);
    else
      masked_address(reference);
    variable.references.push_back(std::move(reference));
    return;
  }
  const std::int64_t value = stored_bits(constant(), type);
  std::memcpy(variable.initial.data() + offset, &value, std::min(8u, element_bytes));
}

/// Whether the name of a variable or function comes next.
bool VariableReader::at_name() const {
  const Token& token = lexer_.peek();
  return token.kind == Token::Kind::word && token.text[0] != '.' && token.text != "WARP_SZ" &&
         !std::isdigit(static_cast<unsigned char>(token.text[0]));
}

/// Whether a mask and an address in parentheses come next. Tables have many values, so the token
/// after each is looked at only if needed.
bool VariableReader::at_mask() const {
  const std::string_view text = lexer_.peek().text;
  return text.starts_with('0') && text.size() > 1 && is_followed_by("(");
}

/// `generic(table) + 8`: addresses are generic here, whatever their space.
void VariableReader::initial_address(Variable::Reference& reference) {
  reference.symbol = word();
  if (reference.symbol == "generic") {
    expect("(");
    reference.symbol = word();
    expect(")");
  }
  if (accept("+")) reference.addend = integer_constant();
}

/// `0xff00(table + 8)`: one byte of an address.
void VariableReader::masked_address(Variable::Reference& reference) {
  const auto mask = static_cast<std::uint64_t>(integer());
  const int shift = std::countr_zero(mask);
  if (mask == 0 || mask >> shift != 0xff || shift % 8 != 0)
    fail("a mask of an address must choose one byte");
  reference.shift = static_cast<unsigned>(shift);
  reference.mask = 0xff;
  expect("(");
  initial_address(reference);
  expect(")");
  if (accept("+")) reference.addend += integer_constant();
}

/// The bits that a constant leaves in a variable of the type.
std::int64_t VariableReader::stored_bits(const Constant& value, isa::Type type) {
  const unsigned bytes = isa::size_bytes(type);
  if (value.type == Constant::Type::f64 && bytes == 4)
    return std::bit_cast<std::int32_t>(static_cast<float>(std::bit_cast<double>(value.bits)));
  if (value.type == Constant::Type::f32 && bytes == 8)
    return std::bit_cast<std::int64_t>(
        static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value.bits))));
  return value.bits;
}

}  // namespace warpwise::ptx
