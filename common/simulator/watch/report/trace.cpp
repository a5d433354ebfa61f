#include "simulator/watch/report/trace.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/ptx/text.h"
#include "simulator/watch/report/coalescing.h"

namespace warpwise::watch {
namespace {

using isa::Type;
using OperandKind = ptx::Operand::Kind;

const ptx::Instruction& text_at(const TracePoint& point, const code::Program& program) {
  return point.layout->text->body[program.code[point.pc].text];
}

/// Calls visit(register id, type) for the registers that the instruction writes, or for the others
/// that hold its values; guards and addresses are neither.
template <class Visit>
void for_values(const ptx::Instruction& instruction, bool written, Visit visit) {
  const auto& specs = instruction.match.syntax->operands();
  std::size_t spec = 0;
  for (const ptx::Operand& operand : instruction.operands) {
    if (spec < specs.size() && specs[spec].second && !instruction.has_second) ++spec;
    if (spec >= specs.size()) return;
    if (specs[spec].destination == written && operand.kind != OperandKind::address) {
      const Type type = isa::type_of(specs[spec], instruction.match.variant);
      if (operand.kind == OperandKind::reg) visit(operand.id, type);
      for (const ptx::Operand& element : operand.elements)
        if (element.kind == OperandKind::reg) visit(element.id, type);
    }
    ++spec;
  }
}

/// True where a value only changes its place: what it holds stays a float or none.
bool moves_bits(const ptx::Instruction& instruction) {
  const std::string& mnemonic = instruction.match.syntax->mnemonic();
  return mnemonic == "mov" || mnemonic == "shfl" || mnemonic == "selp";
}

bool takes_values(const ptx::Instruction& instruction) {
  const isa::Kind kind = instruction.kind();
  return kind == isa::Kind::store || kind == isa::Kind::matrix_store || kind == isa::Kind::atomic ||
         kind == isa::Kind::shuffle;
}

bool is_untyped(Type type) {
  return type == Type::b8 || type == Type::b16 || type == Type::b32 || type == Type::b64;
}

}  // namespace

void Trace::begin(const code::Program& program, const memory::AddressSpace& memory) {
  program_ = &program;
  memory_ = &memory;
  is_full_ = is_open_ = false;
  lines_.clear();
  line_by_text_.clear();
  arrays_.clear();
  array_by_base_.clear();
  steps_.clear();
  floats_.clear();
}

/// One instruction of the text may be several of the program.
bool Trace::continues(const TracePoint& point) const {
  return is_open_ && !steps_.back().waits && point.pc == at_.pc + 1 &&
         point.registers == at_.registers && point.active == at_.active &&
         program_->code[point.pc].text == program_->code[at_.pc].text;
}

void Trace::step(const TracePoint& point) {
  if (is_full_ || program_->code[point.pc].text == code::Instruction::no_text) return;
  if (continues(point)) {
    at_.pc = point.pc;
    return;
  }
  complete();
  if (steps_.size() >= request_.steps) {
    is_full_ = true;
    return;
  }
  at_ = point;
  is_open_ = true;
  find_floats(*point.layout->text);
  Step step{.line = line_of(point),
            .live = point.live,
            .active = point.active,
            .mask = point.mask,
            .written = {},
            .stored = {},
            .accesses = {},
            .from = {}};
  const ptx::Instruction& instruction = text_at(point, *program_);
  if (takes_values(instruction)) step.stored = values_of(instruction, false);
  steps_.push_back(std::move(step));
}

/// The results of the last step stay in its registers until the next one begins.
void Trace::complete() {
  if (!is_open_) return;
  is_open_ = false;
  Step& step = steps_.back();
  if (!step.waits && step.mask) step.written = values_of(text_at(at_, *program_), true);
}

void Trace::waits() {
  if (is_open_) steps_.back().waits = true;
}

void Trace::shuffle(const std::uint8_t* from) {
  if (is_open_) steps_.back().from.assign(from, from + 32);
}

void Trace::access(const AccessEvent& event) {
  if (!is_open_) return;
  Access access{.array = array_of(event),
                .is_store = event.is_store,
                .is_atomic = event.is_atomic,
                .bytes = event.bytes,
                .mask = event.mask,
                .offsets = std::vector<std::int64_t>(32),
                .sectors = 0,
                .wavefronts = 0,
                .ideal_wavefronts = 0};
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (event.mask >> lane & 1)
      access.offsets[lane] =
          static_cast<std::int64_t>(event.addresses[lane] - arrays_[access.array].base);
  if (event.is_shared) {
    const bool is_plain_load = !event.is_store && !program_->sites[event.site].is_matrix_row;
    access.wavefronts = wavefronts(event.addresses, event.mask, event.bytes, is_plain_load);
    access.ideal_wavefronts =
        std::min(access.wavefronts, ideal_wavefronts(event.mask, event.bytes));
  } else {
    access.sectors = event.is_atomic ? atomic_sectors(event.addresses, event.mask).count
                                     : sectors(event.addresses, event.mask, event.bytes);
  }
  steps_.back().accesses.push_back(std::move(access));
}

/// The array that the lowest lane touches.
std::size_t Trace::array_of(const AccessEvent& event) {
  const std::uint64_t address = event.addresses[std::countr_zero(event.mask)];
  Array array{.name = event.is_shared ? "shared memory" : "global memory",
              .is_shared = event.is_shared,
              .base = event.is_shared ? code::shared_base : address & ~std::uint64_t{511},
              .bytes = 0};
  if (event.is_shared) {
    for (const code::SharedArray& shared : program_->shared_arrays)
      if (shared.address <= address) array = {shared.name, true, shared.address, shared.bytes};
  } else if (const memory::Allocation* found = memory_->find(address)) {
    array = {found->name, false, found->base, found->bytes};
    if (array.name.empty()) array.name = "allocation " + std::to_string(found->id);
  }
  auto [found, is_new] = array_by_base_.try_emplace({array.is_shared, array.base}, arrays_.size());
  if (is_new) arrays_.push_back(std::move(array));
  return found->second;
}

std::size_t Trace::line_of(const TracePoint& point) {
  const code::Instruction& instruction = program_->code[point.pc];
  auto [found, is_new] = line_by_text_.try_emplace({point.layout, instruction.text}, lines_.size());
  if (!is_new) return found->second;
  const code::Place& place = program_->places[instruction.place];
  const ptx::Instruction& text = text_at(point, *program_);
  Line line{.text = ptx::text_of(text, *point.layout->text),
            .file = place.file,
            .line = place.line,
            .operation = text.match.syntax->mnemonic()};
  lines_.push_back(std::move(line));
  return found->second;
}

/// Registers of the text that are declared as bits and hold floats: what some instruction takes for
/// one, and what is moved to or from one.
void Trace::find_floats(const ptx::Function& function) {
  auto [found, is_new] = floats_.try_emplace(&function);
  if (!is_new) return;
  std::vector<bool>& floats = found->second;
  for (const ptx::Register& declared : function.registers)
    floats.push_back(isa::is_float(declared.type));
  const auto mark = [&](int id, Type type) {
    const bool is_one = type == Type::f32 || type == Type::tf32 || type == Type::f64;
    if (is_one && isa::size_bytes(function.registers[id].type) == isa::size_bytes(type))
      floats[id] = true;
  };
  for (const ptx::Instruction& instruction : function.body)
    for (const bool written : {true, false}) for_values(instruction, written, mark);
  for (bool grows = true; grows;) {
    grows = false;
    for (const ptx::Instruction& instruction : function.body) {
      if (!moves_bits(instruction) || instruction.operands.size() < 2) continue;
      const std::size_t second = instruction.has_second ? 2 : 1;
      const int d = instruction.operands[0].id, a = instruction.operands[second].id;
      if (d < 0 || a < 0 || floats[d] == floats[a]) continue;
      if (isa::size_bytes(function.registers[d].type) !=
          isa::size_bytes(function.registers[a].type))
        continue;
      floats[d] = floats[a] = grows = true;
    }
  }
}

/// How the register's bits are to be read where the instruction takes them for the type.
Type Trace::shown_type(int register_id, Type type) const {
  const ptx::Function& function = *at_.layout->text;
  const Type declared = function.registers[static_cast<std::size_t>(register_id)].type;
  if (declared == Type::pred || isa::is_float(declared)) return declared;
  if ((is_untyped(type) || type == Type::tf32) &&
      floats_.at(&function)[static_cast<std::size_t>(register_id)])
    return isa::size_bytes(declared) == 8 ? Type::f64 : Type::f32;
  const unsigned bytes = isa::size_bytes(type), whole = isa::size_bytes(declared);
  if (type == Type::f16 && whole == 4) return Type::f16x2;
  if (type == Type::bf16 && whole == 4) return Type::bf16x2;
  return bytes == 0 || bytes > whole ? declared : type;
}

Trace::Value Trace::value_of(int register_id, Type type) const {
  const ptx::Function& function = *at_.layout->text;
  const code::Slot slot = at_.layout->text_registers[static_cast<std::size_t>(register_id)];
  const ptx::Register& declared = function.registers[static_cast<std::size_t>(register_id)];
  Value value{declared.name, shown_type(register_id, type), std::vector<std::uint64_t>(32)};
  if (slot == code::no_slot) return value;
  const unsigned bytes = isa::size_bytes(declared.type);
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (bytes == 0) {
      std::uint32_t lanes = 0;
      std::memcpy(&lanes, at_.registers + slot, sizeof lanes);
      value.lanes[lane] = lanes >> lane & 1;
    } else if (bytes <= 8) {
      std::memcpy(&value.lanes[lane], at_.registers + slot + std::size_t{lane} * bytes, bytes);
    }
  }
  return value;
}

std::vector<Trace::Value> Trace::values_of(const ptx::Instruction& instruction,
                                           bool destinations) const {
  std::vector<Value> values;
  for_values(instruction, destinations, [&](int id, Type type) {
    // A shuffle moves its first source; the others say where to.
    if (!destinations && instruction.kind() == isa::Kind::shuffle && !values.empty()) return;
    values.push_back(value_of(id, type));
  });
  return values;
}

}  // namespace warpwise::watch
