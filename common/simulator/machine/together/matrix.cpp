#include "simulator/machine/together/matrix.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

using code::MatrixRegisters;

constexpr std::size_t most_registers = 16;  ///< of one operand

/// Lanes of each register of D that an undefined value reached.
using Reached = std::array<std::uint32_t, most_registers>;

/// Values only change their places, undefined ones as well.
Reached moved(const MatrixRegisters& registers, isa::LaneFunction function,
              const UndefinedValues& undefined) {
  alignas(64) std::uint32_t from[most_registers][32], to[most_registers][32] = {};
  const void* sources[most_registers] = {};
  void* destinations[most_registers];
  for (std::size_t i = 0; i < registers.s[0].size(); ++i) {
    std::uint32_t lanes = undefined.lanes(registers.s[0][i]);
    for (unsigned lane = 0; lane < 32; ++lane) from[i][lane] = lanes >> lane & 1 ? ~0u : 0;
    sources[i] = from[i];
  }
  for (std::size_t i = 0; i < most_registers; ++i) destinations[i] = to[i];
  isa::Operands operands;
  operands.d = destinations;
  operands.s[0] = sources;
  function(operands);
  Reached reached = {};
  for (std::size_t i = 0; i < registers.d.size(); ++i)
    for (unsigned lane = 0; lane < 32; ++lane)
      reached[i] |= static_cast<std::uint32_t>(to[i][lane] != 0) << lane;
  return reached;
}

/// Calls visit(position, register, lane) for every element of an operand.
template <class Visit>
void for_elements(const isa::Fragment& fragment, Visit visit) {
  for (unsigned reg = 0; reg < fragment.registers; ++reg)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned part = 0; part < fragment.per_register(); ++part)
        visit(isa::position_of(fragment, lane, reg, part), reg, lane);
}

/// An element of D is undefined where its row of A, its column of B or its element of C has an
/// undefined value, or what says which elements of the row of A are there.
Reached multiplied(const MatrixRegisters& registers, const UndefinedValues& undefined) {
  bool rows[32] = {}, columns[32] = {}, elements[32][32] = {};
  auto collect = [&](int operand, auto mark) {
    for_elements(registers.fragments[operand + 1],
                 [&](isa::Position p, unsigned reg, unsigned lane) {
                   if (undefined.lanes(registers.s[operand][reg]) >> lane & 1) mark(p);
                 });
  };
  collect(0, [&](isa::Position p) { rows[p.row] = true; });
  collect(1, [&](isa::Position p) { columns[p.column] = true; });
  collect(2, [&](isa::Position p) { elements[p.row][p.column] = true; });
  if (!registers.s[3].empty())
    for (unsigned lane = 0; lane < 32; ++lane)
      if (undefined.lanes(registers.s[3][0]) >> lane & 1)
        rows[lane / 4] = rows[lane / 4 + 8] = true;
  Reached reached = {};
  for_elements(registers.fragments[0], [&](isa::Position p, unsigned reg, unsigned lane) {
    if (rows[p.row] || columns[p.column] || elements[p.row][p.column]) reached[reg] |= 1u << lane;
  });
  return reached;
}

[[gnu::noinline]] void propagate(const MatrixRegisters& registers, isa::LaneFunction function,
                                 UndefinedValues& undefined) {
  std::uint32_t origin = UndefinedValues::no_origin;
  for (const auto& operand : registers.s)
    for (code::Slot slot : operand)
      if (origin == UndefinedValues::no_origin) origin = undefined.origin(slot);
  Reached reached = registers.fragments.empty() ? moved(registers, function, undefined)
                                                : multiplied(registers, undefined);
  for (std::size_t i = 0; i < registers.d.size(); ++i) {
    undefined.define(registers.d[i], all_lanes);
    undefined.set(registers.d[i], reached[i], origin);
  }
}

}  // namespace

bool Matrices::execute(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  if (mask != all_lanes) {
    if (!warp_meetings_.meet_named(group, instruction, mask)) return false;
    report_missing_lanes(mask);
  }
  const MatrixRegisters& registers = here_.program_.matrices[instruction.access];
  if (!instruction.function) {
    if (registers.tile.base != code::no_slot) check_tile(registers.tile);
    return true;
  }
  if (here_.warp_->undefined().any())
    propagate(registers, instruction.function, here_.warp_->undefined());
  void* d[most_registers];
  const void* s[4][most_registers];
  for (std::size_t i = 0; i < registers.d.size(); ++i) d[i] = here_.warp_->slot(registers.d[i]);
  isa::Operands operands;
  operands.d = d;
  for (int operand = 0; operand < 4; ++operand) {
    const std::vector<code::Slot>& slots = registers.s[operand];
    for (std::size_t i = 0; i < slots.size(); ++i) s[operand][i] = here_.warp_->slot(slots[i]);
    operands.s[operand] = s[operand];
  }
  instruction.function(operands);
  // One that only moves a matrix has one source.
  if (!registers.s[1].empty()) here_.counters_.matrix_product();
  return true;
}

/// Each lane of a GPU reads the rows that it is given: parts of several tiles do not make one.
void Matrices::check_one_tile(const code::MatrixRegisters::Tile& tile) {
  const std::byte *bases = here_.warp_->slot(tile.base), *strides = here_.warp_->slot(tile.stride);
  constexpr std::size_t base_bytes = sizeof(std::uint64_t), stride_bytes = sizeof(std::uint32_t);
  // Each lane has what its neighbour has: all have the same.
  if (std::memcmp(bases, bases + base_bytes, 31 * base_bytes) == 0 &&
      std::memcmp(strides, strides + stride_bytes, 31 * stride_bytes) == 0) [[likely]]
    return;
  const auto differs = [&](unsigned lane) {
    return std::memcmp(bases, bases + lane * base_bytes, base_bytes) != 0 ||
           std::memcmp(strides, strides + lane * stride_bytes, stride_bytes) != 0;
  };
  unsigned lane = 1;
  while (!differs(lane)) ++lane;
  watch::Finding found = here_.finding("barrier-divergence", {}, lane);
  if (here_.diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "thread {} gives this matrix instruction another tile than thread {} of the same warp. A "
      "warp loads or stores one tile together: its pointer and ldm have to be the same in all 32 "
      "lanes. Take the tile's index from the warp, not from the thread; a block with fewer than 32 "
      "threads in x has several rows in a warp.",
      here_.thread_text(here_.warp_index_ * 32 + lane), here_.thread_text(here_.warp_index_ * 32));
  here_.diagnoses_.report(std::move(found));
}

/// Lines that are not aligned end as wrong numbers on a GPU, unless an access faults.
void Matrices::check_tile(const code::MatrixRegisters::Tile& tile) {
  check_one_tile(tile);
  std::uint64_t base;
  std::uint32_t stride;
  std::memcpy(&base, here_.warp_->slot(tile.base), sizeof base);
  std::memcpy(&stride, here_.warp_->slot(tile.stride), sizeof stride);
  const std::uint64_t pitch = std::uint64_t{stride} * tile.element_bits / 8;
  base += static_cast<std::uint64_t>(tile.offset);
  if (pitch % tile.pitch_of != 0) {
    watch::Finding found = here_.finding("misaligned", {}, 0);
    const bool faults = pitch * 8 % (2 * tile.element_bits) != 0;
    if (!faults && here_.diagnoses_.count_only(found)) return;
    found.message = fmt::format(
        "the pitch of this tile is {} bytes, which is not a multiple of {}: ldm, which counts "
        "elements, has to be a multiple of {}. Make the array's lines that long, and pass their "
        "length.",
        pitch, tile.pitch_of, 8 * tile.pitch_of / tile.element_bits);
    if (faults) here_.fault(std::move(found));
    here_.diagnoses_.report(std::move(found));
  } else if (base % tile.aligned_to != 0) {
    watch::Finding found = here_.finding("misaligned", {}, 0);
    found.severity = watch::Severity::note;
    if (here_.diagnoses_.count_only(found)) return;
    found.message = fmt::format(
        "this tile begins at an address that is not a multiple of {} (remainder {}). GPUs read it "
        "where no access of theirs is misaligned; the manual wants it aligned: begin tiles at "
        "whole tiles, and shared arrays with __align__(32).",
        tile.aligned_to, base % tile.aligned_to);
    here_.diagnoses_.report(std::move(found));
  }
}

void Matrices::report_missing_lanes(std::uint32_t lanes) {
  unsigned missing = static_cast<unsigned>(std::countr_one(lanes));
  const char* reason = !(here_.warp_->existing >> missing & 1) ? "the block has no such thread"
                       : !(here_.warp_->live >> missing & 1)   ? "it has returned"
                                                               : "it takes another way";
  here_.fault(here_.finding(
      "barrier-divergence",
      fmt::format("{} of the 32 lanes of this warp execute this matrix instruction, lane "
                  "{} does not: {}. All lanes have to execute it together: move it out "
                  "of the branch, and launch whole warps.",
                  std::popcount(lanes), missing, reason),
      static_cast<unsigned>(std::countr_zero(lanes))));
}

}  // namespace warpwise::machine
