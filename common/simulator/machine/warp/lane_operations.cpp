// Instructions that every lane executes on registers of its own.

#include <cstring>
#include <utility>

#include "simulator/machine/block_runner.h"
#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

/// @param d,result values of 32 lanes.
template <class Value>
void copy_lanes(void* d, const void* result, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    static_cast<Value*>(d)[lane] = static_cast<const Value*>(result)[lane];
  });
}

}  // namespace

/// @param instruction with a guard.
std::uint32_t BlockRunner::guarded(const code::Instruction& instruction, std::uint32_t mask) {
  if (warp_->undefined().any()) {
    current_ = &instruction;
    uninitialized_.use_value(instruction.guard, mask);
  }
  std::uint32_t guard = warp_->mask_at(instruction.guard);
  return mask & (instruction.guard_negated ? ~guard : guard);
}

void BlockRunner::lanes(const code::Instruction& instruction, std::uint32_t mask) {
  std::byte* registers = warp_->registers();
  isa::Operands operands;
  operands.d = registers + instruction.d;
  operands.d2 = instruction.d2 == code::no_slot ? nullptr : registers + instruction.d2;
  for (int i = 0; i < 4; ++i) operands.s[i] = registers + instruction.s[i];
  if (warp_->undefined().any()) {
    uninitialized_.use_registers(instruction, mask);
    warp_->undefined().propagate(instruction, mask, warp_->registers());
  }
  // Lanes that have left the call, have exited or never existed may receive anything.
  if (mask == warp_->frame().lanes)
    instruction.function(operands);
  else if (mask)
    write_masked(instruction, operands, mask);
}

/// @param operands changes
void BlockRunner::write_masked(const code::Instruction& instruction, isa::Operands& operands,
                               std::uint32_t mask) {
  alignas(64) std::byte result[512];
  std::uint32_t second = 0;
  // Not copied: what has just been written would be read back in other pieces, and wait.
  void *const d = std::exchange(operands.d, result), *const d2 = operands.d2;
  if (d2) operands.d2 = &second;
  instruction.function(operands);
  auto blend_mask = [&](void* into, std::uint32_t value) {
    auto& old = *static_cast<std::uint32_t*>(into);
    old = (old & ~mask) | (value & mask);
  };
  if (d2) blend_mask(d2, second);
  if (instruction.d_bytes == 0) {
    blend_mask(d, *reinterpret_cast<std::uint32_t*>(result));
  } else if (instruction.d_bytes == 1 || instruction.d_bytes == 16) {
    std::size_t bytes = instruction.d_bytes;
    for (std::size_t lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1)
        std::memcpy(static_cast<std::byte*>(d) + lane * bytes, result + lane * bytes, bytes);
  } else if (are_few(mask)) {
    if (instruction.d_bytes == 4)
      copy_lanes<std::uint32_t>(d, result, mask);
    else if (instruction.d_bytes == 8)
      copy_lanes<std::uint64_t>(d, result, mask);
    else
      copy_lanes<std::uint16_t>(d, result, mask);
  } else {
    isa::Operands blend;
    blend.d = d;
    blend.s[0] = result;
    blend.s[1] = d;
    blend.s[2] = &mask;
    select_[instruction.d_bytes](blend);
  }
}

}  // namespace warpwise::machine
