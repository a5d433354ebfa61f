#include <algorithm>

#include "simulator/code/lowering.h"

namespace warpwise::code {
namespace {

using isa::Type;

Space space_named(std::string_view name) {
  if (name.starts_with("shared")) return Space::shared;
  if (name == "local") return Space::local;
  // Constant memory lies in the same allocations as global memory.
  return name.empty() ? Space::generic : Space::global;
}

}  // namespace

void Lowering::memory(Instruction& instruction, const ptx::Operand& address, Access access) {
  const isa::Variant& variant = source_->match.variant;
  access.space = space_named(variant["space"]);
  std::string_view order = variant["order"];
  access.is_strong = access.is_atomic || (!order.empty() && order != "weak");
  if (address.id >= 0) {
    access.base = registers_[address.id];
    access.base_bytes = static_cast<std::uint8_t>(register_bytes(address.id));
    access.offset = address.value;
  } else {
    access.offset =
        address.name.empty() ? address.value : static_cast<std::int64_t>(symbol_address(address));
    if (!address.name.empty() && access.space == Space::generic)
      fail("an address by name needs a space");
  }
  Site site;
  site.place = instruction.place;
  site.space = access.space;
  site.is_store = access.is_store;
  site.is_atomic = access.is_atomic;
  site.bytes = static_cast<std::uint8_t>(access.bytes());
  // The hardware reads constants through a cache of their own, which has no sectors.
  site.is_counted = variant["space"] != "const";
  access.site = static_cast<std::uint32_t>(program_.sites.size());
  program_.sites.push_back(site);
  instruction.access = static_cast<std::uint32_t>(program_.accesses.size());
  program_.accesses.push_back(access);
  // What one block reads may come from another: such launches keep the order of blocks.
  if (access.is_strong && access.space != Space::shared && !access.is_atomic)
    program_.blocks_communicate = true;
}

void Lowering::load() {
  const isa::Variant& variant = source_->match.variant;
  const Operand &d = source_->operands.at(0), &address = source_->operands.at(1);
  std::string_view space = variant["space"];
  if (space.starts_with("param")) return parameter_load(address);
  Access access;
  access.type = variant.type();
  access.element_bytes = static_cast<std::uint8_t>(isa::size_bytes(access.type));
  std::vector<Operand> elements = d.kind == Operand::Kind::vector ? d.elements : std::vector{d};
  access.elements = static_cast<std::uint8_t>(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].id < 0) continue;
    access.data[i] = registers_[elements[i].id];
    access.register_bytes[i] = static_cast<std::uint8_t>(register_bytes(elements[i].id));
  }
  memory(emit(Op::load), address, access);
}

void Lowering::store() {
  const isa::Variant& variant = source_->match.variant;
  const Operand &address = source_->operands.at(0), &b = source_->operands.at(1);
  Type type = variant.type();
  std::vector<Operand> elements = b.kind == Operand::Kind::vector ? b.elements : std::vector{b};
  if (variant["space"].starts_with("param")) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      Operand part = address;
      part.value += static_cast<std::int64_t>(i * isa::size_bytes(type));
      unsigned bytes = std::max(2u, isa::size_bytes(type));
      Slot value = source(elements[i], bytes == 8 ? Type::b64 : bytes == 4 ? Type::b32 : Type::b16);
      emit_lanes("mov.b" + std::to_string(8 * bytes), call_slot(part, bytes), bytes, {value});
    }
    return;
  }
  Access access;
  access.is_store = true;
  access.type = type;
  access.element_bytes = static_cast<std::uint8_t>(isa::size_bytes(type));
  access.elements = static_cast<std::uint8_t>(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    bool is_register = elements[i].kind == Operand::Kind::reg;
    access.data[i] = source_value(elements[i], type);
    access.register_bytes[i] = static_cast<std::uint8_t>(
        is_register ? register_bytes(elements[i].id) : std::max(2u, isa::size_bytes(type)));
    if (!is_register && isa::size_bytes(type) == 1)
      access.data[i] = slots_.constant(2, static_cast<std::uint64_t>(elements[i].value) & 0xff);
  }
  memory(emit(Op::store), address, access);
}

void Lowering::parameter_load(const Operand& address) {
  const Operand& d = source_->operands[0];
  Type type = source_->match.variant.type();
  unsigned bytes = isa::size_bytes(type);
  std::vector<Operand> elements = d.kind == Operand::Kind::vector ? d.elements : std::vector{d};
  auto found = layout_.parameters.find(address.name);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].id < 0) continue;
    unsigned whole = register_bytes(elements[i].id);
    Operand part = address;
    part.value += static_cast<std::int64_t>(i * bytes);
    if (found == layout_.parameters.end() && !address.name.empty()) {
      emit_lanes("mov.b" + std::to_string(8 * whole), registers_[elements[i].id], whole,
                 {call_slot(part, whole)});
      continue;
    }
    if (address.id >= 0 || address.name.empty())
      fail("a parameter indexed at run time is not available in the simulator yet");
    Slot slot = slots_.parameter(whole, found->second + static_cast<std::uint32_t>(part.value),
                                 bytes, isa::is_signed(type));
    if (alias_preset(elements[i], slot, whole))
      emit(Op::nothing);
    else
      emit_lanes("mov.b" + std::to_string(8 * whole), registers_[elements[i].id], whole, {slot});
  }
}

void Lowering::atomic() {
  const isa::Variant& variant = source_->match.variant;
  const auto& operands = source_->operands;
  bool has_result = operands.at(0).kind != Operand::Kind::address;
  std::size_t at = has_result ? 1 : 0;
  Access access;
  access.is_store = access.is_atomic = true;
  access.type = variant.type();
  access.element_bytes = static_cast<std::uint8_t>(isa::size_bytes(access.type));
  std::string_view op = variant["op"];
  constexpr std::string_view names[] = {"add", "min",  "max", "and", "or",
                                        "xor", "exch", "cas", "inc", "dec"};
  access.atomic =
      static_cast<AtomicOp>(std::find(std::begin(names), std::end(names), op) - std::begin(names));
  bool is_float = isa::is_float(access.type);
  if (is_float && op != "add" && op != "exch") fail("no such operation on floats");
  Slot b = source(operands.at(at + 1), access.type);
  Slot c = operands.size() > at + 2 ? source(operands[at + 2], access.type) : no_slot;
  if (op == "cas" && c == no_slot) fail("expected a value to compare and a value to store");
  Instruction& instruction = emit(Op::atomic);
  instruction.s[0] = b;
  instruction.s[1] = c;
  if (has_result && operands[0].id >= 0 && reads_[operands[0].id] > 0) {
    access.data[0] = registers_[operands[0].id];
    access.register_bytes[0] = static_cast<std::uint8_t>(register_bytes(operands[0].id));
  }
  memory(instruction, operands[at], access);
  // A used result tells one block about another; without one most integer operations give the same
  // in any order. Float sums do not.
  bool any_order = !is_float && op != "exch" && op != "cas" && op != "inc" && op != "dec";
  if (program_.accesses[instruction.access].space != Space::shared &&
      (access.data[0] != no_slot || !any_order))
    program_.blocks_communicate = true;
}

Slot Lowering::call_slot(const Operand& address, unsigned bytes) {
  auto [found, is_new] =
      call_slots_.try_emplace({address.name + "/" + std::to_string(bytes), address.value}, no_slot);
  if (is_new) found->second = slots_.fresh(bytes);
  return found->second;
}

void Lowering::call() {
  const auto& operands = source_->operands;
  auto target = std::find_if(operands.begin(), operands.end(), [](const Operand& operand) {
    return operand.kind == Operand::Kind::symbol;
  });
  std::string name = target == operands.end() ? "a function pointer" : target->name;
  const Operand& last = operands.back();
  auto argument = [&](std::size_t index, unsigned bytes) {
    if (last.kind != Operand::Kind::arguments || index >= last.elements.size())
      fail("missing arguments");
    return call_slot(last.elements[index], bytes);
  };
  if (name == "vprintf") {
    Slot format = argument(0, 8), arguments = argument(1, 8);
    Slot result = call_slot(operands.front().kind == Operand::Kind::arguments && operands.size() > 2
                                ? operands.front().elements.at(0)
                                : last.elements.at(0),
                            4);
    Instruction& instruction = emit(Op::print);
    instruction.s[0] = format;
    instruction.s[1] = arguments;
    instruction.d = result;
    instruction.d_bytes = 4;
  } else if (name == "__assertfail") {
    Slot message = argument(0, 8), file = argument(1, 8), line = argument(2, 4);
    Instruction& instruction = emit(Op::assert_fail);
    instruction.s[0] = message;
    instruction.s[1] = file;
    instruction.s[2] = line;
  } else {
    fail("calls to " + name + " are not available in the simulator yet");
  }
}

}  // namespace warpwise::code
