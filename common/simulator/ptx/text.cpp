#include "simulator/ptx/text.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace warpwise::ptx {
namespace {

using Kind = Operand::Kind;

std::string hexadecimal(const char* format, std::int64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, format, static_cast<unsigned long long>(value));
  return text;
}

/// Parameters are named after their function, with all of its mangled name.
std::string name_of(const std::string& name, const Function& function) {
  const std::string prefix = function.name + "_";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : short_name(name);
}

std::string offset_text(std::int64_t value) {
  return value == 0 ? std::string() : (value > 0 ? "+" : "") + std::to_string(value);
}

std::string text_of(const Operand& operand, const Function& function);

std::string list_of(const std::vector<Operand>& operands, const Function& function) {
  std::string text;
  for (const Operand& operand : operands)
    text += (text.empty() ? "" : ", ") + text_of(operand, function);
  return text;
}

std::string register_text(const Operand& operand, const Function& function) {
  std::string name = function.registers[static_cast<std::size_t>(operand.id)].name;
  if (operand.selector.empty()) return name;
  const bool minus = operand.selector.starts_with('-');
  const std::string part = operand.selector.substr(minus ? 1 : 0);
  return (minus ? "-" : "") + name + (part.empty() ? "" : "." + part);
}

std::string text_of(const Operand& operand, const Function& function) {
  switch (operand.kind) {
    case Kind::reg:
      return (operand.negated ? "!" : "") + register_text(operand, function);
    case Kind::special:
      return operand.name;
    case Kind::integer:
      return std::to_string(operand.value);
    case Kind::f32:
      return hexadecimal("0f%08llX", operand.value & 0xffffffff);
    case Kind::f64:
      return hexadecimal("0d%016llX", operand.value);
    case Kind::symbol:
      return name_of(operand.name, function) + offset_text(operand.value);
    case Kind::address: {
      if (operand.id < 0 && operand.name.empty()) return "[" + std::to_string(operand.value) + "]";
      const std::string base =
          operand.id >= 0 ? register_text(operand, function) : name_of(operand.name, function);
      return "[" + base + offset_text(operand.value) + "]";
    }
    case Kind::vector:
      return "{" + list_of(operand.elements, function) + "}";
    case Kind::arguments:
      return "(" + list_of(operand.elements, function) + ")";
    case Kind::sink:
      break;
  }
  return "_";
}

}  // namespace

std::string text_of(const Instruction& instruction, const Function& function) {
  std::string text;
  if (instruction.guard >= 0) {
    text += instruction.guard_negated ? "@!" : "@";
    text += function.registers[static_cast<std::size_t>(instruction.guard)].name + " ";
  }
  text += instruction.opcode;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    text += i == 0 ? " " : i == 1 && instruction.has_second ? "|" : ", ";
    text += text_of(instruction.operands[i], function);
  }
  return text;
}

std::string demangled(const std::string& mangled) {
  // __cxa_demangle takes a plain "i" for a type.
  if (!mangled.starts_with("_Z")) return mangled;
  int status = 0;
  char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 && text ? text : mangled;
  std::free(text);
  return name;
}

std::string short_name(const std::string& mangled) {
  // The reader numbers variables of inner braces: "t{3}".
  if (const std::size_t brace = mangled.find('{'); brace != std::string::npos && brace > 0)
    return short_name(mangled.substr(0, brace));
  // The compiler may split an array or structure: "_$_1" follows the name of its part 1.
  const std::size_t part = std::min(mangled.find("_$_"), mangled.size());
  const std::string whole = mangled.substr(0, part);
  std::string name = demangled(whole);
  if (name == whole) return mangled;
  const std::size_t last = name.rfind("::");
  if (last != std::string::npos) name.erase(0, last + 2);
  if (part < mangled.size()) name += "." + mangled.substr(part + 3);
  return name;
}

}  // namespace warpwise::ptx
