#include <algorithm>

#include "simulator/code/lowering/lowering.h"

namespace warpwise::code {
using isa::Type;

Order order_of(const isa::Variant& variant, bool is_atomic) {
  std::string_view order = variant["order"];
  if (order == "acquire") return Order::acquire;
  if (order == "release") return Order::release;
  if (order == "acq_rel") return Order::acquire_release;
  return is_atomic || (!order.empty() && order != "weak") ? Order::relaxed : Order::none;
}

Space space_named(std::string_view name) {
  if (name.starts_with("shared")) return Space::shared;
  if (name == "local") return Space::local;
  // Constant memory is in the same allocations as global memory.
  return name.empty() ? Space::generic : Space::global;
}

/// Whether a name is a variable whose address is the same in the space that names none.
bool is_global(const ptx::Module& module, std::string_view name) {
  return std::any_of(module.variables.begin(), module.variables.end(), [&](const auto& variable) {
    return variable.name == name && variable.space == ptx::Space::global;
  });
}

AtomicOp atomic_named(std::string_view name) {
  constexpr std::string_view names[] = {"add", "min",  "max", "and", "or",
                                        "xor", "exch", "cas", "inc", "dec"};
  return static_cast<AtomicOp>(std::find(std::begin(names), std::end(names), name) -
                               std::begin(names));
}

Scope scope_of(const isa::Variant& variant) {
  std::string_view scope = variant["scope"];
  if (scope == "cta") return Scope::cta;
  if (scope == "cluster") return Scope::cluster;
  if (scope == "sys" || variant["order"] == "volatile") return Scope::system;
  return Scope::gpu;
}

/// Hand-written PTX may name a variable and no space: ptxas takes the variable's space.
Space Lowering::space_of_name(const ptx::Operand& address) const {
  if (address.id >= 0 || address.name.empty()) return Space::generic;
  if (layout_.local.contains(address.name)) return Space::local;
  return unit_.shared_arrays.contains(address.name) ? Space::shared : Space::generic;
}

void Lowering::memory(Instruction& instruction, const ptx::Operand& address, Access access) {
  const isa::Variant& variant = source_->match.variant;
  access.space = !variant["space"].starts_with("param") ? space_named(variant["space"])
                 : function_.is_kernel                  ? Space::parameter
                                                        : Space::local;
  if (access.space == Space::generic) access.space = space_of_name(address);
  access.order = order_of(variant, access.is_atomic);
  access.scope = scope_of(variant);
  access.is_non_coherent = variant.has("nc") || source_->opcode.find(".nc.") != std::string::npos;
  access.optimistic_read =
      optimistic_reads_[static_cast<std::size_t>(source_ - function_.body.data())];
  // The hardware reads constants through a cache of their own, which has no sectors.
  bool is_counted = variant["space"] != "const" && access.space != Space::parameter;
  instruction.access = add_access(address, access, is_counted);
  // A value that one block reads may come from another: such launches keep the order of blocks.
  if (access.is_strong() && access.space != Space::shared && !access.is_atomic)
    program_.blocks_communicate = true;
}

/// The elements of a vector, or the operand itself.
std::vector<ptx::Operand> Lowering::elements_of(const Operand& operand) const {
  if (operand.kind != Operand::Kind::vector) return {operand};
  if (operand.elements.empty() || operand.elements.size() > std::size(Access().data))
    fail("a vector has 2, 4 or 8 elements");
  return operand.elements;
}

/// The place in the frame of the array that a register points into; no bytes where none is known.
Piece Lowering::local_array(int id) const {
  Piece piece = local_origins_[static_cast<std::size_t>(id)];
  if (piece.bytes) piece.offset += layout_.local.at(stack_of(function_)->name);
  return piece;
}

/// Adds an access, whose space is known, of the instruction emitted last. @return its index.
std::uint32_t Lowering::add_access(const ptx::Operand& address, Access access, bool is_counted) {
  if (address.id >= 0) {
    access.base = registers_[address.id];
    access.shared_array = shared_origins_[static_cast<std::size_t>(address.id)];
    access.local_array = local_array(address.id);
    access.base_low_bits = low_bits_[static_cast<std::size_t>(address.id)];
    access.base_bytes = static_cast<std::uint8_t>(register_bytes(address.id));
    access.offset = address.value;
  } else if (auto local = layout_.local.find(address.name); local != layout_.local.end()) {
    access.offset = local->second + address.value;
    if (!function_.is_kernel) access.base = slots_.special(8, Special::frame_base);
  } else {
    if (auto array = unit_.shared_arrays.find(address.name); array != unit_.shared_arrays.end())
      access.shared_array = array->second;
    access.offset =
        address.name.empty() ? address.value : static_cast<std::int64_t>(symbol_address(address));
    if (access.space == Space::generic && !address.name.empty() &&
        !is_global(unit_.module, address.name))
      fail("an address by name needs a space");
  }
  Site site;
  site.place = program_.code.back().place;
  site.space = access.space;
  site.is_store = access.is_store;
  site.is_atomic = access.is_atomic;
  site.bytes = static_cast<std::uint8_t>(access.bytes());
  site.is_counted = is_counted;
  access.site = static_cast<std::uint32_t>(program_.sites.size());
  program_.sites.push_back(site);
  program_.accesses.push_back(access);
  return static_cast<std::uint32_t>(program_.accesses.size() - 1);
}

void Lowering::load() {
  const isa::Variant& variant = source_->match.variant;
  const Operand &d = source_->operands.at(0), &address = source_->operands.at(1);
  std::string_view space = variant["space"];
  bool is_passed = space.starts_with("param");
  if (is_passed && address.id < 0 && layout_.parameters.count(address.name))
    return kernel_parameter_load(address);
  if (variant.type() == Type::b128) return wide_access(d, address, false);
  Access access;
  access.type = variant.type();
  access.element_bytes = isa::size_bytes(access.type);
  std::vector<Operand> elements = elements_of(d);
  access.elements = static_cast<std::uint8_t>(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].id < 0) continue;
    access.data[i] = registers_[elements[i].id];
    access.register_bytes[i] = static_cast<std::uint8_t>(register_bytes(elements[i].id));
  }
  if (is_passed) return passed_access(address, access);
  memory(emit(Op::load), address, access);
}

void Lowering::store() {
  const isa::Variant& variant = source_->match.variant;
  const Operand &address = source_->operands.at(0), &b = source_->operands.at(1);
  Type type = variant.type();
  if (type == Type::b128) return wide_access(b, address, true);
  std::vector<Operand> elements = elements_of(b);
  Access access;
  access.is_store = true;
  access.type = type;
  access.element_bytes = isa::size_bytes(type);
  access.elements = static_cast<std::uint8_t>(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    bool is_register = elements[i].kind == Operand::Kind::reg;
    access.data[i] = source_value(elements[i], type);
    access.register_bytes[i] = static_cast<std::uint8_t>(
        is_register ? register_bytes(elements[i].id) : std::max(2u, isa::size_bytes(type)));
    if (!is_register && isa::size_bytes(type) == 1)
      access.data[i] = slots_.constant(2, static_cast<std::uint64_t>(elements[i].value) & 0xff);
  }
  if (variant["space"].starts_with("param")) return passed_access(address, access);
  memory(emit(Op::store), address, access);
}

/// The parts of a vector in adjacent slots of their own; the slot of any other operand.
Slot Lowering::parts_together(const Operand& operand, Type type) {
  if (operand.kind != Operand::Kind::vector) return source(operand, type);
  unsigned bytes = isa::size_bytes(type);
  std::vector<Slot> parts;
  for (std::size_t i = 0; i < operand.elements.size(); ++i) parts.push_back(slots_.fresh(bytes));
  for (std::size_t i = 0; i < parts.size(); ++i)
    emit_lanes("mov.b" + std::to_string(8 * bytes), parts[i], bytes,
               {source(operand.elements[i], type)});
  return parts.at(0);
}

/// Of 16-bit floats the row of the arithmetic instruction says what an update does.
/// @return false where the type does not have the operation.
bool Lowering::set_update(Instruction& instruction, std::string_view op, Type type) {
  if (!isa::is_float(type)) return true;
  if (type == Type::f32 || type == Type::f64) return op == "add" || op == "exch";
  auto row = isa::find_row(std::string(op) + "." + std::string(isa::name_of(type)));
  if (row) instruction.function = row->function;
  return row.has_value();
}

/// Most integer operations give the same result in any order. Float sums do not.
bool Lowering::depends_on_order(std::string_view op, Type type) {
  return isa::is_float(type) || op == "exch" || op == "cas" || op == "inc" || op == "dec";
}

void Lowering::atomic() {
  const isa::Variant& variant = source_->match.variant;
  const auto& operands = source_->operands;
  bool has_result = operands.at(0).kind != Operand::Kind::address;
  std::size_t at = has_result ? 1 : 0;
  // A cache policy comes last and changes no value.
  std::size_t count = operands.size() - (variant.has("L2::cache_hint") ? 1 : 0);
  Access access;
  access.is_store = access.is_atomic = true;
  access.type = variant.type();
  access.element_bytes = isa::size_bytes(access.type);
  const Operand& value = operands.at(at + 1);
  if (value.kind == Operand::Kind::vector)
    access.elements = static_cast<std::uint8_t>(elements_of(value).size());
  std::string_view op = variant["op"];
  access.atomic = atomic_named(op);
  Slot b = parts_together(value, access.type);
  Slot c = count > at + 2 ? source(operands[at + 2], access.type) : no_slot;
  if (op == "cas" && c == no_slot) fail("expected a value to compare and a value to store");
  if (has_result) {
    std::vector<Operand> results = elements_of(operands[0]);
    if (results.size() != access.elements) fail("expected as many results as values");
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i].id < 0 || reads_[results[i].id] == 0) continue;
      access.data[i] = registers_[results[i].id];
      access.register_bytes[i] = static_cast<std::uint8_t>(register_bytes(results[i].id));
    }
  }
  Instruction& instruction = emit(Op::atomic);
  instruction.s[0] = b;
  instruction.s[1] = c;
  if (!set_update(instruction, op, access.type)) fail("no such operation on this type");
  memory(instruction, operands[at], access);
  // A used result lets one block learn about another.
  bool has_used_result = std::any_of(std::begin(access.data), std::end(access.data),
                                     [](Slot slot) { return slot != no_slot; });
  program_.sites.back().has_result = has_used_result;
  const Access& made = program_.accesses[instruction.access];
  program_.sites.back().adds_floats =
      op == "add" && made.space == Space::shared && made.bytes() == 4 &&
      (made.type == Type::f32 || made.type == Type::f16x2 || made.type == Type::bf16x2);
  program_.sites.back().adds_by_loop = op == "add" && made.space != Space::global &&
                                       made.type != Type::u32 && made.type != Type::s32;
  program_.sites.back().is_swap_loop =
      op == "add" && (made.type == Type::f16 || made.type == Type::bf16);
  // An access with block scope is compared with those of other blocks in their order.
  if (made.space != Space::shared &&
      (has_used_result || made.scope == Scope::cta || depends_on_order(op, access.type)))
    program_.blocks_communicate = true;
}

}  // namespace warpwise::code
