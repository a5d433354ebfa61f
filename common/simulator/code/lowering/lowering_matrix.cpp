#include "simulator/code/lowering/lowering_matrix.h"

#include <algorithm>

namespace warpwise::code {
namespace {

using isa::Fragment;
using isa::Type;

constexpr unsigned row_words = 4;  ///< of an 8 x 8 matrix of 16-bit elements

isa::LaneFunction function_of(std::string_view opcode) { return isa::find_row(opcode)->function; }

}  // namespace

void Lowering::matrix(isa::Kind kind) {
  Matrix matrix(*this);
  if (kind == isa::Kind::matrix) return matrix.product();
  return kind == isa::Kind::matrix_load ? matrix.load() : matrix.store();
}

Lowering::Matrix::Matrix(Lowering& lowering)
    : lowering_(lowering), program_(lowering.program_), source_(*lowering.source_) {}

Slot Lowering::Matrix::scratch(unsigned bytes) {
  auto& pool = lowering_.scratch_[bytes];
  unsigned& used = used_[bytes];
  if (used == pool.size()) pool.push_back(lowering_.slots_.fresh(bytes));
  return pool[used++];
}

Slot Lowering::Matrix::computed(const std::string& opcode, unsigned bytes,
                                std::initializer_list<Slot> sources) {
  Slot d = scratch(bytes);
  lowering_.emit_lanes(opcode, d, bytes, sources);
  return d;
}

Slot Lowering::Matrix::constant(std::uint64_t value) { return lowering_.slots_.constant(8, value); }

/// `.sync.aligned`: nothing happens before all lanes are here.
void Lowering::Matrix::wait_for_all_lanes() { together(nullptr, {}); }

void Lowering::Matrix::together(isa::LaneFunction function, MatrixRegisters registers) {
  Slot all = lowering_.slots_.constant(4, ~0u);
  Instruction& instruction = lowering_.emit(Op::matrix);
  instruction.function = function;
  instruction.s[3] = all;
  instruction.access = static_cast<std::uint32_t>(program_.matrices.size());
  program_.matrices.push_back(std::move(registers));
}

std::vector<Slot> Lowering::Matrix::registers(const ptx::Operand& list, unsigned count,
                                              unsigned bits) {
  bool is_list = list.kind == ptx::Operand::Kind::vector;
  std::vector<ptx::Operand> elements = is_list ? list.elements : std::vector{list};
  auto expected = [&] {
    lowering_.fail("expected " + std::to_string(count) + " registers of " + std::to_string(bits) +
                   " bits in braces");
  };
  if (elements.size() != count) expected();
  std::vector<Slot> slots;
  for (const ptx::Operand& element : elements) {
    bool is_register = element.kind == ptx::Operand::Kind::reg;
    if (is_register && 8 * lowering_.register_bytes(element.id) != bits) expected();
    slots.push_back(lowering_.source(element, bits == 64 ? Type::b64 : Type::b32));
  }
  return slots;
}

Fragment Lowering::Matrix::fragment(isa::Role role, bool is_destination) {
  auto found = isa::fragment_of(source_.match.variant, role, is_destination);
  if (!found) lowering_.fail("no such matrix");
  return *found;
}

void Lowering::Matrix::product() {
  const auto& operands = source_.operands;
  MatrixRegisters all;
  if (operands.size() == 2) {  // movmatrix
    all.d = registers(operands[0], 1, 32);
    all.s[0] = registers(operands[1], 1, 32);
  } else {
    const bool is_sparse = operands.size() == 6;
    if (operands.size() != 4 && !is_sparse)
      lowering_.fail("expected the registers of D, A, B and C");
    using R = isa::Role;
    for (auto [role, is_destination] :
         {std::pair{R::accumulator, true}, {R::a, false}, {R::b, false}, {R::accumulator, false}}) {
      Fragment f = fragment(role, is_destination);
      std::size_t at = all.fragments.size();
      std::vector<Slot> slots = registers(operands[at], f.registers, f.register_bits);
      f.registers = std::min(f.registers, f.different_registers());
      slots.resize(f.registers);
      (at ? all.s[at - 1] : all.d) = std::move(slots);
      all.fragments.push_back(f);
    }
    if (is_sparse) all.s[3] = {registers(operands[4], 1, 32)[0], selector(operands[5])};
  }
  together(source_.match.function, std::move(all));
}

/// Which lanes of four have the metadata of a sparse product: a constant.
Slot Lowering::Matrix::selector(const ptx::Operand& operand) {
  const isa::Shape shape = *isa::shape_named(source_.match.variant["shape"]);
  const unsigned bits = fragment(isa::Role::b, false).bits;
  // Four bits per two kept elements of A's 16 rows (tf32: per one), where a pair of 4-bit elements
  // counts as one. The 32 lanes hold a multiple of this.
  const unsigned kept = 16 * shape.k / 2 / (bits == 4 ? 2 : 1);
  const unsigned choices = 32 * 32 / (kept * (bits == 32 ? 4 : 2));
  if (operand.kind != ptx::Operand::Kind::integer ||
      static_cast<std::uint64_t>(operand.value) >= choices)
    lowering_.fail("expected a constant below " + std::to_string(choices) +
                   " as the sparsity selector");
  return lowering_.slots_.constant(4, static_cast<std::uint64_t>(operand.value));
}

/// A guard that is true for the lowest lanes only; none where all take part.
Slot Lowering::Matrix::guard_of(unsigned lanes) {
  if (lanes == 32) return no_slot;
  Slot lowest = lowering_.slots_.constant(0, (1u << lanes) - 1);
  if (source_.guard < 0) return lowest;
  // Both steps are for all lanes, whatever the source's guard.
  auto always = [&](const std::string& opcode, std::initializer_list<Slot> sources) {
    Slot made = computed(opcode, 0, sources);
    program_.code.back().guard = no_slot;
    return made;
  };
  Slot guard = lowering_.registers_[source_.guard];
  if (source_.guard_negated) guard = always("not.pred", {guard});
  return always("and.pred", {guard, lowest});
}

void Lowering::Matrix::access(Op op, Slot base, std::int64_t offset, Type type,
                              const std::vector<Slot>& data, unsigned register_bytes,
                              unsigned lanes) {
  const ptx::Operand& address = source_.operands[op == Op::load ? 1 : 0];
  Access access;
  access.is_store = op == Op::store;
  access.is_part = true;
  access.type = type;
  access.element_bytes = static_cast<std::uint8_t>(isa::size_bytes(type));
  access.elements = static_cast<std::uint8_t>(data.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    access.data[i] = data[i];
    access.register_bytes[i] = static_cast<std::uint8_t>(register_bytes);
  }
  Slot guard = guard_of(lanes);
  Instruction& instruction = lowering_.emit(op);
  if (guard != no_slot) {
    instruction.guard = guard;
    instruction.guard_negated = false;
  }
  lowering_.memory(instruction, address, access);
  program_.sites.back().is_matrix_row = data.size() == row_words;
  if (base == no_slot) return;
  Access& made = program_.accesses.back();
  made.base = base;
  made.base_bytes = 8;
  made.offset = offset + address.value;
}

std::vector<Slot> Lowering::Matrix::row_registers() {
  std::vector<Slot> rows;
  for (unsigned word = 0; word < row_words; ++word) rows.push_back(scratch(4));
  return rows;
}

void Lowering::Matrix::load() {
  if (source_.match.syntax->mnemonic() == "wmma") return tile_load();
  wait_for_all_lanes();
  auto count = static_cast<unsigned>(source_.match.variant["num"][1] - '0');
  std::vector<Slot> rows = row_registers();
  access(Op::load, no_slot, 0, Type::b32, rows, 4, 8 * count);
  together(source_.match.function, {registers(source_.operands[0], count, 32), {rows}, {}});
}

void Lowering::Matrix::store() {
  if (source_.match.syntax->mnemonic() == "wmma") return tile_store();
  wait_for_all_lanes();
  auto count = static_cast<unsigned>(source_.match.variant["num"][1] - '0');
  std::vector<Slot> rows = row_registers();
  together(source_.match.function, {rows, {registers(source_.operands[1], count, 32)}, {}});
  access(Op::store, no_slot, 0, Type::b32, rows, 4, 8 * count);
}

void Lowering::Matrix::begin_tile(const Fragment& f) {
  fragment_ = f;
  by_columns_ = source_.match.variant["layout"] == "col";
  const auto& operands = source_.operands;
  const ptx::Operand& address = operands[operands[0].kind == ptx::Operand::Kind::address ? 0 : 1];
  const Slot stride = operands.size() > 2
                          ? lowering_.source(operands[2], Type::u32)
                          : lowering_.slots_.constant(4, by_columns_ ? f.rows() : f.columns());
  units_ = stride;
  unit_bytes_ = f.bits / 8;
  if (f.bits < 8) {  // strides of these elements are whole bytes
    units_ = computed("shr.u32", 4, {stride, lowering_.slots_.constant(4, f.bits == 4 ? 1 : 3)});
    unit_bytes_ = 1;
  }
  bool is_fixed = address.id < 0;
  base_ = is_fixed ? constant(address.name.empty() ? 0 : lowering_.symbol_address(address))
          : lowering_.register_bytes(address.id) == 8
              ? lowering_.registers_[address.id]
              : computed("cvt.u64.u32", 8, {lowering_.registers_[address.id]});
  Place first = place(0, 0, 0), next = place(0, 0, f.per_register() > 1 ? 1 : 0);
  is_contiguous_ = next.line == first.line && next.offset == first.offset + 1;
  wait_at_tile(address, stride);
}

/// The PTX manual requires an alignment of a part of a lane's registers; the CUDA C++ manual
/// requires 32 bytes for the address and 16 for lines. The smaller of both counts.
void Lowering::Matrix::wait_at_tile(const ptx::Operand& address, Slot stride) {
  const unsigned lane_bytes = fragment_.registers * fragment_.register_bits / 8;
  MatrixRegisters all;
  all.tile = {base_,
              stride,
              address.id < 0 ? 0 : address.value,
              fragment_.bits,
              std::min(32u, lane_bytes),
              std::min(16u, lane_bytes)};
  together(nullptr, std::move(all));
}

/// Finds an element's place in memory: its row (or column, where columns are contiguous) and its
/// distance from the start of that row.
Lowering::Matrix::Place Lowering::Matrix::place(unsigned lane, unsigned reg, unsigned part) const {
  isa::Position p = isa::position_of(fragment_, lane, reg, part);
  return by_columns_ ? Place{p.column, p.row} : Place{p.row, p.column};
}

unsigned Lowering::Matrix::bytes(unsigned elements) const { return elements * fragment_.bits / 8; }

/// In registers that hold neighbours in memory (or would, transposed): four bytes in each of eight
/// lines.
Lowering::Matrix::LanePlaces Lowering::Matrix::word_places() {
  LanePlaces places;
  for (unsigned lane = 0; lane < 32; ++lane) {
    places.lines[lane] = lane / 4;
    places.bytes[lane] = lane % 4 * 4;
  }
  return places;
}

/// Where elements are accessed one by one.
Lowering::Matrix::LanePlaces Lowering::Matrix::element_places() const {
  const Place first = place(0, 0, 0);
  LanePlaces places;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Place here = place(lane, 0, 0);
    places.lines[lane] = here.line - first.line;
    places.bytes[lane] = bytes(here.offset - first.offset);
  }
  return places;
}

void Lowering::Matrix::begin_lanes(const LanePlaces& places) {
  places_ = places;
  line_start_ = computed("add.u64", 8, {base_, lowering_.slots_.constants(8, places.bytes)});
  lines_.clear();
}

/// The lanes' addresses, moved down by `line` lines.
Slot Lowering::Matrix::at_line(unsigned line) {
  auto [found, is_new] = lines_.try_emplace(line, no_slot);
  if (!is_new) return found->second;
  std::array<std::uint64_t, 32> factors = places_.lines;
  for (std::uint64_t& of_lane : factors) of_lane = (of_lane + line) * unit_bytes_;
  return found->second = computed("mad.wide.u32", 8,
                                  {units_, lowering_.slots_.constants(4, factors), line_start_});
}

/// As many 8 x 8 matrices as there are registers: a power of two.
void Lowering::Matrix::transpose(std::vector<Slot> d, std::vector<Slot> s) {
  const std::string opcode = "_transpose.x" + std::to_string(d.size()) + ".b16";
  together(function_of(opcode), {std::move(d), {std::move(s)}, {}});
}

/// Registers that only repeat others are set where the program itself reads them.
void Lowering::Matrix::repeat(const std::vector<Slot>& d, unsigned different) {
  const auto& elements = source_.operands[0].elements;
  for (unsigned reg = different; reg < d.size(); ++reg)
    if (elements[reg].id < 0 || lowering_.reads_[elements[reg].id] > 0)
      lowering_.emit_lanes("mov.b32", d[reg], 4, {d[reg % different]});
}

void Lowering::Matrix::tile_load() {
  std::string_view role = source_.match.variant["role"];
  begin_tile(fragment(role == "a"   ? isa::Role::a
                      : role == "b" ? isa::Role::b
                                    : isa::Role::accumulator,
                      false));
  std::vector<Slot> d =
      registers(source_.operands[0], fragment_.registers, fragment_.register_bits);
  unsigned different = fragment_.different_registers();
  bool in_words = is_contiguous_ || fragment_.bits == 16;
  bool in_shared = source_.match.variant["space"].starts_with("shared");
  if (in_words && in_shared && role != "c")
    load_rows(d, different);
  else if (in_words)
    load_words(d, different);
  else if (fragment_.per_register() > 1)
    load_bytes(d, different);
  else
    whole_registers(Op::load, d);
  repeat(d, different);
}

void Lowering::Matrix::tile_store() {
  begin_tile(fragment(isa::Role::accumulator, true));
  std::vector<Slot> s =
      registers(source_.operands[1], fragment_.registers, fragment_.register_bits);
  if (fragment_.per_register() == 1) return whole_registers(Op::store, s);
  begin_lanes(word_places());
  for (unsigned reg = 0; reg < s.size(); ++reg) {
    Slot value = s[reg];
    if (!is_contiguous_) transpose({value = scratch(4)}, {s[reg]});
    Place first = place(0, reg, 0);
    access(Op::store, at_line(first.line), bytes(first.offset), Type::b32, {value}, 4);
  }
}

/// As compiled code does it in shared memory: up to four blocks of eight lines by ldmatrix.
void Lowering::Matrix::load_rows(const std::vector<Slot>& d, unsigned count) {
  std::vector<Slot> rows = row_registers();
  for (unsigned reg = 0; reg < count; reg += 4) {
    unsigned blocks = std::min(4u, count - reg);
    // Lanes 8 to 15 have the lines of the second block, and so on.
    LanePlaces places;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const Place block = place(0, reg + lane / 8 % blocks, 0);
      places.lines[lane] = block.line + lane % 8;
      places.bytes[lane] = bytes(block.offset);
    }
    begin_lanes(places);
    access(Op::load, at_line(0), 0, Type::b32, rows, 4, 8 * blocks);
    std::string opcode = "ldmatrix.sync.aligned.m8n8.x" + std::to_string(blocks) +
                         (is_contiguous_ ? "" : ".trans") + ".b16";
    together(function_of(opcode), {{d.begin() + reg, d.begin() + reg + blocks}, {rows}, {}});
  }
}

/// One 32-bit access for each register; transposed afterwards where its elements are not adjacent.
void Lowering::Matrix::load_words(const std::vector<Slot>& d, unsigned count) {
  begin_lanes(word_places());
  for (unsigned reg = 0; reg < count; ++reg) {
    Place first = place(0, reg, 0);
    access(Op::load, at_line(first.line), bytes(first.offset), Type::b32, {d[reg]}, 4);
  }
  const std::vector<Slot> loaded(d.begin(), d.begin() + count);
  if (!is_contiguous_) transpose(loaded, loaded);
}

/// Registers of four elements, each of which is an access.
void Lowering::Matrix::load_bytes(const std::vector<Slot>& d, unsigned count) {
  begin_lanes(element_places());
  Slot parts[4];
  for (Slot& part : parts) part = scratch(4);
  for (unsigned reg = 0; reg < count; ++reg) {
    for (unsigned part = 0; part < 4; ++part) {
      const Place at = place(0, reg, part);
      access(Op::load, at_line(at.line), bytes(at.offset), Type::u8, {parts[part]}, 4);
    }
    lowering_.emit_lanes("_join.8.b32", parts[0], 4, {parts[0], parts[1]});
    lowering_.emit_lanes("_join.8.b32", parts[2], 4, {parts[2], parts[3]});
    lowering_.emit_lanes("_join.16.b32", d[reg], 4, {parts[0], parts[2]});
  }
}

/// Registers of one element each; two neighbours in memory are one access.
void Lowering::Matrix::whole_registers(Op op, const std::vector<Slot>& data) {
  begin_lanes(element_places());
  Type type = fragment_.bits == 64 ? Type::b64 : Type::b32;
  for (unsigned reg = 0; reg < data.size(); ++reg) {
    Place first = place(0, reg, 0);
    Slot base = at_line(first.line);
    std::vector<Slot> slots = {data[reg]};
    bool has_next = fragment_.role == isa::Role::accumulator && reg + 1 < data.size();
    Place next = has_next ? place(0, reg + 1, 0) : Place{};
    if (has_next && next.line == first.line && next.offset == first.offset + 1)
      slots.push_back(data[++reg]);
    access(op, base, bytes(first.offset), type, slots, fragment_.register_bits / 8);
  }
}

}  // namespace warpwise::code
