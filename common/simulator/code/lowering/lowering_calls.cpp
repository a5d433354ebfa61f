// Calls, the values that they pass, and the stack.

#include <algorithm>

#include "simulator/code/lowering/device_runtime.h"
#include "simulator/code/lowering/lowering.h"

namespace warpwise::code {
namespace {

using isa::Type;

std::string bits(unsigned bytes) { return ".b" + std::to_string(8 * bytes); }

}  // namespace

/// The address of something in the function's own frame; a kernel's is the first of the stack.
Slot Lowering::frame_address(std::uint64_t offset, unsigned bytes) {
  if (function_.is_kernel) return slots_.constant(bytes, offset);
  Slot sum = slots_.fresh(bytes);
  emit_lanes("add.u" + std::to_string(8 * bytes), sum, bytes,
             {slots_.special(bytes, Special::frame_base), slots_.constant(bytes, offset)});
  return sum;
}

const Piece* Lowering::passed(const Operand& address) const {
  auto found = address.id < 0 ? layout_.passed.find(address.name) : layout_.passed.end();
  return found == layout_.passed.end() ? nullptr : &found->second;
}

/// ld.param or st.param: of a value being passed, or through a parameter's address.
void Lowering::passed_access(const Operand& address, Access access) {
  if (const Piece* piece = passed(address)) {
    auto end = address.value + std::int64_t{access.bytes()};
    if (address.value < 0 || end > piece->bytes)
      fail("it reaches beyond " + address.name + ", which has " + std::to_string(piece->bytes) +
           " bytes");
    access.space = Space::frame;
    access.offset = piece->offset + address.value;
    Instruction& instruction = emit(access.is_store ? Op::store : Op::load);
    instruction.access = static_cast<std::uint32_t>(program_.accesses.size());
    program_.accesses.push_back(access);
    return;
  }
  if (address.id < 0) fail("the function has no parameter " + address.name);
  if (access.is_store && function_.is_kernel) fail("a kernel's parameters cannot be written");
  memory(emit(access.is_store ? Op::store : Op::load), address, access);
}

/// A constant offset into a kernel's parameters: they are in registers from the start.
void Lowering::kernel_parameter_load(const Operand& address) {
  const Operand& d = source_->operands[0];
  Type type = source_->match.variant.type();
  unsigned bytes = isa::size_bytes(type);
  std::vector<Operand> elements = d.kind == Operand::Kind::vector ? d.elements : std::vector{d};
  std::uint32_t offset = layout_.parameters.at(address.name);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].id < 0) continue;
    unsigned whole = register_bytes(elements[i].id);
    auto at = static_cast<std::uint32_t>(address.value + static_cast<std::int64_t>(i * bytes));
    Slot slot = slots_.parameter(whole, offset + at, bytes, isa::is_signed(type));
    if (alias_preset(elements[i], slot, whole))
      emit(Op::nothing);
    else
      emit_lanes("mov" + bits(whole), registers_[elements[i].id], whole, {slot});
  }
}

/// An argument of a function that the machine itself supplies, in a register of its own.
/// @param offset into the argument.
/// @param register_bytes into which it is extended; 0: as many as it has.
Slot Lowering::supplied_argument(const CallParts& parts, std::size_t index, unsigned bytes,
                                 unsigned offset, unsigned register_bytes) {
  if (index >= parts.arguments.size()) fail("missing arguments");
  if (register_bytes == 0) register_bytes = bytes;
  Access access;
  access.type = bytes == 8 ? Type::b64 : Type::b32;
  access.element_bytes = static_cast<std::uint8_t>(bytes);
  access.register_bytes[0] = static_cast<std::uint8_t>(register_bytes);
  access.data[0] = slots_.fresh(register_bytes);
  Operand argument = parts.arguments[index];
  argument.value += offset;
  passed_access(argument, access);
  return access.data[0];
}

void Lowering::supplied_result(const CallParts& parts, Slot value, unsigned bytes,
                               unsigned slot_bytes) {
  if (parts.results.empty()) return;
  Access access;
  access.is_store = true;
  access.type = bytes == 8 ? Type::b64 : Type::b32;
  access.element_bytes = static_cast<std::uint8_t>(bytes);
  access.register_bytes[0] = static_cast<std::uint8_t>(slot_bytes);
  access.data[0] = value;
  passed_access(parts.results[0], access);
}

/// A conditional node's handle is the address of its value.
void Lowering::set_conditional(const CallParts& parts) {
  Access to;
  to.is_store = true;
  to.order = Order::relaxed;
  to.base = supplied_argument(parts, 0, 8);
  to.data[0] = supplied_argument(parts, 1, 4);
  to.register_bytes[0] = 4;
  emit(Op::store);
  program_.code.back().access = add_access({}, to, false);
}

/// Functions that no module defines: the machine supplies them. @return false for any other.
bool Lowering::supplied_call(const std::string& name, const CallParts& parts) {
  auto arguments = [&](std::initializer_list<unsigned> sizes) {
    std::vector<Slot> slots;
    for (unsigned bytes : sizes) slots.push_back(supplied_argument(parts, slots.size(), bytes));
    return slots;
  };
  auto supply = [&](Op op, const std::vector<Slot>& sources, unsigned result_bytes) {
    Slot result = result_bytes ? slots_.fresh(result_bytes) : no_slot;
    Instruction& instruction = emit(op);
    std::copy(sources.begin(), sources.end(), instruction.s);
    instruction.d = result;
    instruction.d_bytes = static_cast<std::uint8_t>(result_bytes);
    if (result_bytes) supplied_result(parts, result, result_bytes, result_bytes);
  };
  if (name == "vprintf")
    supply(Op::print, arguments({8, 8}), 4);
  else if (name == "__assertfail")
    supply(Op::assert_fail, arguments({8, 8, 4}), 0);
  else if (name == "malloc")
    supply(Op::heap_allocate, arguments({8}), 8);
  else if (name == "free")
    supply(Op::heap_free, arguments({8}), 0);
  else if (name == "cudaGraphSetConditional")
    set_conditional(parts);
  else
    return false;
  if (name == "malloc" || name == "free") program_.blocks_communicate = true;
  return true;
}

void Lowering::call() {
  CallParts parts = parts_of(*source_);
  if (!parts.target) fail("it names no function");
  bool by_name = parts.target->kind == Operand::Kind::symbol;
  Call call;
  if (by_name) {
    // The program brings the device runtime along, made of calls that only a driver knows.
    if (const RuntimeFunction* function = runtime_function(parts.target->name))
      return runtime_call(*function, parts);
    auto found = unit_.functions.find(parts.target->name);
    if (found != unit_.functions.end())
      call.function = found->second;
    else if (supplied_call(parts.target->name, parts))
      return;
    else if (is_of_device_runtime(parts.target->name))
      fail("the device runtime's " + parts.target->name + " is not available in the simulator yet");
    else
      fail("calls to " + parts.target->name + " are not available in the simulator yet");
  }
  auto pieces = [&](const std::vector<Operand>& operands) {
    std::vector<Piece> result;
    for (const Operand& operand : operands) {
      const Piece* piece = passed(operand);
      if (!piece) fail("arguments and results must be .param variables");
      result.push_back(*piece);
    }
    return result;
  };
  call.arguments = pieces(parts.arguments);
  call.results = pieces(parts.results);
  Slot address = by_name ? no_slot : source(*parts.target, Type::u64);
  Instruction& instruction = emit(Op::call);
  instruction.s[0] = address;
  instruction.target = static_cast<std::uint32_t>(program_.calls.size());
  if (!by_name) {
    const auto here = static_cast<std::uint32_t>(program_.code.size() - 1);
    const std::vector<Stretch> callees{{here, here + 1}};
    call.parting = Parting{{callees, callees}, true};
  }
  program_.calls.push_back(std::move(call));
}

/// brx.idx as one comparison and branch after another; the last target needs none.
void Lowering::branch_table() {
  auto list = function_.branch_targets.find(source_->operands.at(1).name);
  if (list == function_.branch_targets.end())
    fail("unknown list of targets " + source_->operands.at(1).name);
  if (source_->guard >= 0) fail("a guard is not available here");
  Slot index = source(source_->operands[0], Type::u32);
  for (std::size_t i = 0; i < list->second.size(); ++i) {
    Slot is_this = no_slot;
    if (i + 1 < list->second.size()) {
      is_this = slots_.fresh(0);
      emit_lanes("setp.eq.u32", is_this, 0, {index, slots_.constant(4, i)});
    }
    Instruction& branch = emit(Op::branch);
    branch.guard = is_this;
    branch.target = static_cast<std::uint32_t>(function_.labels.at(list->second[i]));
  }
}

/// isspacep: each space has a window of generic addresses of its own.
void Lowering::test_address() {
  std::string_view space = source_->match.variant["space"];
  std::uint64_t window = space.starts_with("shared")  ? shared_window
                         : space == "local"           ? local_window
                         : space.starts_with("param") ? parameter_window
                                                      : 0;
  const Operand& p = source_->operands.at(0);
  if (p.id < 0) fail("the destination must be a register");
  const Slot result = registers_[p.id];
  if (space == "const") return emit_lanes("mov.pred", result, 0, {in_constants()});
  static_assert(shared_window == 1ull << 56 && function_window < shared_window);
  // The memory of the other blocks of the cluster follows the block's own memory.
  unsigned shift = space == "shared" || space == "shared::cta" ? shared_rank_shift : 56;
  Slot address = source(source_->operands.at(1), Type::u64), top = slots_.fresh(8);
  emit_lanes("shr.u64", top, 8, {address, slots_.constant(4, shift)});
  emit_lanes("setp.eq.u64", result, 0, {top, slots_.constant(8, window >> shift)});
  if (space != "global") return;
  const Slot elsewhere = slots_.fresh(0);
  emit_lanes("not.pred", elsewhere, 0, {in_constants()});
  emit_lanes("and.pred", result, 0, {result, elsewhere});
}

/// Whether the address that isspacep asks about is in a __constant__ variable. These have global
/// addresses here, each its own.
Slot Lowering::in_constants() {
  const Slot any = slots_.fresh(0);
  emit_lanes("mov.pred", any, 0, {slots_.constant(0, 0)});
  const Slot address = source(source_->operands.at(1), Type::u64);
  for (const ptx::Variable& variable : unit_.module.variables) {
    if (variable.space != ptx::Space::constant || variable.bytes == 0 ||
        variable.linkage == ptx::Linkage::external)
      continue;
    const Slot offset = slots_.fresh(8), inside = slots_.fresh(0);
    emit_lanes("sub.u64", offset, 8, {address, slots_.constant(8, unit_.resolve(variable.name))});
    emit_lanes("setp.lt.u64", inside, 0, {offset, slots_.constant(8, variable.bytes)});
    emit_lanes("or.pred", any, 0, {any, inside});
  }
  return any;
}

void Lowering::stack() {
  const std::string& name = source_->match.syntax->mnemonic();
  const auto& operands = source_->operands;
  Type type = source_->match.variant.type();
  bool restores = name == "stackrestore";
  Slot source_slot = restores           ? source(operands.at(0), type)
                     : name == "alloca" ? source(operands.at(1), type)
                                        : no_slot;
  Instruction& instruction = emit(restores           ? Op::stack_restore
                                  : name == "alloca" ? Op::stack_allocate
                                                     : Op::stack_save);
  instruction.s[0] = source_slot;
  instruction.d_bytes = static_cast<std::uint8_t>(isa::size_bytes(type));
  if (restores) return;
  if (operands[0].id < 0) fail("the destination must be a register");
  instruction.d = registers_[operands[0].id];
  instruction.target = operands.size() > 2 ? static_cast<std::uint32_t>(operands[2].value) : 16;
}

}  // namespace warpwise::code
