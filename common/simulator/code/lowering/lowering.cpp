#include "simulator/code/lowering/lowering.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "simulator/code/lowering/repeated_registers.h"
#include "simulator/code/lowering/special_names.h"
#include "simulator/code/values/definedness.h"

namespace warpwise::code {
namespace {

using isa::Kind;
using isa::Type;

/// Signed loads and conversions extend the sign into a wider register.
std::string integer_type(unsigned bytes, bool is_signed) {
  return (is_signed ? "s" : "u") + std::to_string(8 * bytes);
}

GridControl grid_control_of(const isa::Variant& variant) {
  const std::string_view action = variant["action"];
  return action == "wait"                ? GridControl::waits_for_prerequisites
         : action == "launch_dependents" ? GridControl::lets_dependents_begin
                                         : GridControl::none;
}

}  // namespace

Lowering::Lowering(Unit& unit, const ptx::Function& function, FrameLayout& frame,
                   std::uint32_t first_place)
    : unit_(unit),
      function_(function),
      program_(unit.program),
      first_place_(first_place),
      slots_(frame),
      layout_(lay_out(function, frame)),
      registers_(function.registers.size(), no_slot),
      shared_origins_(shared_origins(function, unit.shared_arrays)),
      local_origins_(local_origins(function)),
      low_bits_(low_bits(function, unit.shared)),
      definitions_(function.registers.size()),
      reads_(function.registers.size()),
      optimistic_reads_(optimistic_reads(function, unit.atomic_parameters)),
      frame_(frame) {
  std::vector<bool> used(function.registers.size());
  for (const ptx::Instruction& instruction : function.body) {
    visit_registers(instruction, [&](int id, bool is_written) {
      used[id] = true;
      ++(is_written ? definitions_ : reads_)[id];
    });
    visit_repeats(instruction, [&](int id) { --reads_[id]; });
  }
  for (std::size_t id = 0; id < used.size(); ++id) {
    if (!used[id]) continue;
    registers_[id] = slots_.fresh(isa::size_bytes(function.registers[id].type));
  }
}

void Lowering::fail(const std::string& what) const {
  std::string place;
  if (source_->location >= 0) {
    const ptx::Location* location = &function_.locations[source_->location];
    while (location->inlined_at >= 0) location = &function_.locations[location->inlined_at];
    place = ", source line " + std::to_string(location->line);
  }
  throw ptx::ParseError("PTX line " + std::to_string(source_->text_line) + ": " + source_->opcode +
                        ": " + what + " (in " + function_.name + place + ")");
}

Instruction& Lowering::emit(Op op) {
  Instruction instruction;
  instruction.op = op;
  std::size_t place = source_ && source_->location >= 0
                          ? static_cast<std::size_t>(source_->location)
                          : function_.locations.size();
  instruction.place = first_place_ + static_cast<std::uint32_t>(place);
  if (source_) instruction.text = static_cast<std::uint32_t>(source_ - function_.body.data());
  if (source_ && source_->guard >= 0) {
    instruction.guard = registers_[source_->guard];
    instruction.guard_negated = source_->guard_negated;
  }
  program_.code.push_back(instruction);
  return program_.code.back();
}

void Lowering::emit_lanes(const std::string& opcode, Slot d, unsigned d_bytes,
                          std::initializer_list<Slot> sources) {
  auto match = isa::find_row(opcode);
  if (!match) fail("the simulator does not know " + opcode + " yet");
  Instruction& instruction = emit(Op::lanes);
  bool puts_together =
      opcode.starts_with("_insert") || opcode.starts_with("_join") || opcode.starts_with("or.");
  instruction.definedness = puts_together ? Definedness::pack : Definedness::copy;
  instruction.function = match->function;
  instruction.d = d;
  instruction.d_bytes = static_cast<std::uint8_t>(d_bytes);
  std::copy(sources.begin(), sources.end(), instruction.s);
}

void Lowering::enter(std::uint32_t block) {
  source_ = nullptr;
  emit(Op::enter).target = block;
}

void Lowering::undefined_at_start(const RegisterSets& live) {
  live.visit(0, [&](int id) {
    const unsigned bytes = isa::size_bytes(function_.registers[id].type);
    unset_[id] = {frame_.undefined_at_start.size(), false};
    frame_.undefined_at_start.push_back({registers_[id], std::max(4u, 32 * bytes)});
    ++definitions_[id];  // the undefined value counts as a definition: no constant may replace it
  });
}

isa::Type Lowering::type_of(const isa::OperandSpec& spec) const {
  return isa::type_of(spec, source_->match.variant);
}

unsigned Lowering::register_bytes(int id) const {
  return isa::size_bytes(function_.registers[id].type);
}

std::uint64_t Lowering::symbol_address(const Operand& operand) const {
  auto offset = static_cast<std::uint64_t>(operand.value);
  if (auto found = unit_.shared.find(operand.name); found != unit_.shared.end())
    return found->second + offset;
  if (auto found = layout_.parameters.find(operand.name); found != layout_.parameters.end())
    return found->second + offset;
  for (const ptx::Variable& variable : unit_.module.variables)
    if (variable.name == operand.name) return unit_.resolve(operand.name) + offset;
  if (auto function = function_address(unit_.module, operand.name)) return *function + offset;
  fail("the address of " + operand.name + " is not available in the simulator yet");
}

/// The address of a variable or function as a value.
Slot Lowering::symbol_value(const Operand& operand, unsigned bytes) {
  auto offset = static_cast<std::uint64_t>(operand.value);
  if (auto local = layout_.local.find(operand.name); local != layout_.local.end())
    return frame_address(local->second + offset, bytes);
  if (auto passed = layout_.passed.find(operand.name); passed != layout_.passed.end()) {
    frame_.passed_has_address = true;
    return frame_address(passed->second.offset + offset, bytes);
  }
  return slots_.constant(bytes, symbol_address(operand));
}

Slot Lowering::source_value(const Operand& operand, Type type) {
  unsigned bytes = isa::size_bytes(type);
  switch (operand.kind) {
    case Operand::Kind::reg:
      return registers_[operand.id];
    case Operand::Kind::integer:
      if (type == Type::pred) return slots_.constant(0, operand.value ? ~0u : 0u);
      return slots_.constant(bytes, static_cast<std::uint64_t>(operand.value));
    case Operand::Kind::f64:
      // Decimal ones are doubles everywhere.
      if (bytes == 4)
        return slots_.constant(4, std::bit_cast<std::uint32_t>(
                                      static_cast<float>(std::bit_cast<double>(operand.value))));
      [[fallthrough]];
    case Operand::Kind::f32:
      return slots_.constant(bytes, static_cast<std::uint64_t>(operand.value));
    case Operand::Kind::symbol:
      return symbol_value(operand, bytes);
    case Operand::Kind::special:
      if (operand.name == "WARP_SZ") return slots_.constant(bytes, 32);
      if (const ClockRegister* clock = clock_named(operand.name)) return read_clock(*clock, bytes);
      if (auto special = special_named(operand.name)) return slots_.special(bytes, *special);
      fail("the special register " + operand.name + " is not available in the simulator yet");
    default:
      fail("an operand of this form is not available in the simulator yet");
  }
}

Slot Lowering::read_clock(const ClockRegister& clock, unsigned bytes) {
  Slot value = slots_.fresh(8), result = value;
  Instruction& instruction = emit(Op::clock);
  instruction.mode = static_cast<std::uint8_t>(clock.clock);
  instruction.d = value;
  instruction.d_bytes = 8;
  if (clock.first_bit > 0) {
    result = slots_.fresh(8);
    emit_lanes("shr.u64", result, 8, {value, slots_.constant(4, clock.first_bit)});
  }
  if (bytes == 8) return result;
  Slot narrow = slots_.fresh(bytes);
  emit_lanes("cvt.u" + std::to_string(8 * bytes) + ".u64", narrow, bytes, {result});
  return narrow;
}

Slot Lowering::source(const Operand& operand, Type type) {
  Slot slot = source_value(operand, type);
  unsigned bytes = isa::size_bytes(type);
  if (operand.negated) {
    Slot inverted = slots_.fresh(bytes);
    emit_lanes((isa::is_float(type) ? "neg." : "not.") + std::string(isa::name_of(type)), inverted,
               bytes, {slot});
    return inverted;
  }
  if (operand.kind == Operand::Kind::reg && bytes && register_bytes(operand.id) != bytes) {
    // A value narrower than its register: the low bytes.
    Slot narrow = slots_.fresh(std::max(2u, bytes));
    emit_lanes("_resize." + integer_type(bytes, false) + "." +
                   integer_type(register_bytes(operand.id), false),
               narrow, bytes, {slot});
    return narrow;
  }
  return slot;
}

bool Lowering::alias_preset(const Operand& d, Slot preset, unsigned bytes) {
  bool once = definitions_[d.id] == 1 && source_->guard < 0;
  if (!once || register_bytes(d.id) != bytes) return false;
  registers_[d.id] = preset;
  return true;
}

void Lowering::note_unset(const ptx::Instruction& source) {
  const std::size_t location =
      source.location >= 0 ? static_cast<std::size_t>(source.location) : function_.locations.size();
  visit_registers(source, [&](int id, bool is_written) {
    const auto found = unset_.find(id);
    if (found == unset_.end()) return;
    FrameLayout::UnsetRegister& unset = frame_.undefined_at_start[found->second.index];
    unset.is_of_library |= program_.places[first_place_ + location].is_library;
    if (is_written || found->second.is_read) return;
    found->second.is_read = true;
    unset.first_read = static_cast<std::uint32_t>(program_.code.size());
  });
}

void Lowering::instruction(const ptx::Instruction& source) {
  source_ = &source;
  if (!unset_.empty()) note_unset(source);
  try {
    translate(source);
  } catch (const std::out_of_range&) {
    fail("it lacks operands");
  }
}

void Lowering::translate(const ptx::Instruction& source) {
  switch (source.kind()) {
    case Kind::lanes:
      return lanes();
    case Kind::load:
      return load();
    case Kind::store:
      return store();
    case Kind::atomic:
      return atomic();
    case Kind::branch: {
      auto label = function_.labels.at(source.operands.at(0).name);
      emit(Op::branch).target = static_cast<std::uint32_t>(label);
      return;
    }
    case Kind::call:
      return call();
    case Kind::branch_table:
      return branch_table();
    case Kind::ret:
      return void(emit(function_.is_kernel ? Op::exit : Op::ret));
    case Kind::exit:
      return void(emit(Op::exit));
    case Kind::trap:
      return void(emit(Op::trap));
    case Kind::barrier:
      return barrier();
    case Kind::warp_barrier: {
      Slot mask = this->source(source.operands.at(0), Type::u32);
      emit(Op::warp_barrier).s[3] = mask;
      return;
    }
    case Kind::shuffle:
      return shuffle();
    case Kind::vote:
      return vote();
    case Kind::activemask: {
      Instruction& instruction = emit(Op::activemask);
      instruction.d = registers_[source.operands.at(0).id];
      instruction.d_bytes = 4;
      return;
    }
    case Kind::matrix:
    case Kind::matrix_load:
    case Kind::matrix_store:
      return matrix(source.kind());
    case Kind::warpgroup_product:
      return warpgroup_product();
    case Kind::fence:
      return fence();
    case Kind::mbarrier_arrive:
    case Kind::mbarrier_test:
      return mbarrier(source.kind());
    case Kind::copy_async:
      return copy_async();
    case Kind::copy_bulk:
      return copy_bulk();
    case Kind::copy_tensor:
      return copy_tensor();
    case Kind::store_async:
    case Kind::reduce_async:
      return store_async();
    case Kind::texture:
    case Kind::surface_load:
    case Kind::surface_store:
      return texel_access(source.kind());
    case Kind::convert_address:
      return convert_address();
    case Kind::test_address:
      return test_address();
    case Kind::stack:
      return stack();
    case Kind::sleep: {
      const Slot nanoseconds = this->source(source.operands.at(0), Type::u32);
      emit(Op::sleep).s[0] = nanoseconds;
      return;
    }
    case Kind::nothing:
      return void(emit(Op::nothing).mode =
                      static_cast<std::uint8_t>(grid_control_of(source.match.variant)));
    default:
      return operation();
  }
}

void Lowering::lanes() {
  const auto& operands = source_->operands;
  const auto& specs = source_->match.syntax->operands();
  if (source_->match.syntax->mnemonic() == "mov" && operands.size() == 2) {
    if (operands[0].kind == Operand::Kind::vector || operands[1].kind == Operand::Kind::vector)
      return vector_move();
    Type type = source_->match.variant.last_type();
    if (operands[1].kind != Operand::Kind::reg && operands[0].kind == Operand::Kind::reg &&
        alias_preset(operands[0], source(operands[1], type), isa::size_bytes(type)))
      return void(emit(Op::nothing));
  }
  Slot slots[6] = {no_slot, no_slot, no_slot, no_slot, no_slot, no_slot};
  Slot resized = no_slot, joined = no_slot;
  std::size_t spec = 0, sources = 2;
  unsigned d_bytes = 0;
  Type d_type = Type::b32;
  for (const Operand& operand : operands) {
    if (spec < specs.size() && specs[spec].second && !source_->has_second) ++spec;
    if (spec >= specs.size()) fail("too many operands");
    Type type = type_of(specs[spec]);
    // A fifth source is the predicate that the second destination is joined with.
    if (sources == 6 && type == Type::pred) {
      joined = source(operand, type);
    } else if (sources >= 6) {
      fail("too many operands");
    } else if (!specs[spec].destination) {
      slots[sources++] = source(operand, type);
    } else if (operand.kind == Operand::Kind::sink) {
      slots[specs[spec].second] = slots_.fresh(isa::size_bytes(type));
    } else if (operand.kind != Operand::Kind::reg) {
      fail("the destination must be a register");
    } else {
      slots[specs[spec].second] = registers_[operand.id];
      if (!specs[spec].second) d_bytes = isa::size_bytes(type), d_type = type;
      if (type != Type::pred && register_bytes(operand.id) != isa::size_bytes(type)) {
        resized = slots[0];
        slots[0] = slots_.fresh(std::max(2u, d_bytes));
      }
    }
    ++spec;
  }
  const isa::Implicit& implicit = source_->match.syntax->implicit();
  if (implicit.carry_out) slots[1] = carry();
  if ((implicit.carry_in || implicit.immediate) && sources >= 6) fail("too many operands");
  if (implicit.carry_in) slots[sources++] = carry();
  if (implicit.immediate) slots[sources++] = slots_.constant(8, immediate());
  Instruction& instruction = emit(Op::lanes);
  instruction.definedness = definedness_of(*source_);
  instruction.function = source_->match.function;
  instruction.d = slots[0];
  // The predicate that it is joined with may be the same.
  instruction.d2 = joined == no_slot ? slots[1] : slots_.fresh(0);
  instruction.d_bytes = static_cast<std::uint8_t>(d_bytes);
  std::copy(slots + 2, slots + 6, instruction.s);
  if (joined != no_slot && slots[1] != no_slot) {
    const Slot found = instruction.d2;
    const std::string operation(source_->match.variant["bool"]);
    emit_lanes(operation + ".pred", slots[1], 0, {found, joined});
    program_.code.back().definedness =
        operation == "and" ? Definedness::conjunction : Definedness::disjunction;
  }
  if (resized != no_slot) {
    unsigned whole = register_bytes(operands[0].id);
    emit_lanes("_resize." + integer_type(whole, isa::is_signed(d_type)) + "." +
                   integer_type(d_bytes, isa::is_signed(d_type)),
               resized, whole, {slots[0]});
  }
}

void Lowering::fence() {
  const Scope scope = scope_of(source_->match.variant);
  Instruction& fence = emit(Op::fence);
  fence.mode = static_cast<std::uint8_t>(scope);
  if (scope != Scope::system) return;
  Site site;
  site.place = fence.place;
  site.is_store = true;
  program_.system_fences.push_back(site);
  fence.access = static_cast<std::uint32_t>(program_.system_fences.size());
}

void Lowering::convert_address() {
  const auto& variant = source_->match.variant;
  std::string_view space = variant["space"];
  const Operand& d = source_->operands.at(0);
  Slot a = source(source_->operands.at(1), Type::u64);
  const bool is_local = space == "local" || (space.starts_with("param") && !function_.is_kernel);
  const std::uint64_t window = space.starts_with("shared")  ? shared_window
                               : space.starts_with("param") ? parameter_window
                                                            : 0;
  if (is_local) {
    const Slot start = slots_.special(8, Special::local_start);
    return emit_lanes(variant.has("to") ? "sub.u64" : "add.u64", registers_[d.id], 8, {a, start});
  }
  if (window == 0) {
    if (source_->operands[1].kind != Operand::Kind::reg && alias_preset(d, a, 8))
      return void(emit(Op::nothing));
    return emit_lanes("mov.b64", registers_[d.id], 8, {a});
  }
  std::uint64_t added = variant.has("to") ? 0 - window : window;
  emit_lanes("add.u64", registers_[d.id], 8, {a, slots_.constant(8, added)});
}

}  // namespace warpwise::code
