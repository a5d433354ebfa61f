#include "simulator/machine/schedule/spin_loop.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "simulator/machine/warp/call_frame.h"

namespace warpwise::machine {
namespace {

using code::Op;

bool only_computes(const code::Instruction& instruction) {
  switch (instruction.op) {
    case Op::lanes:
    case Op::enter:
    case Op::branch:
    case Op::activemask:
      return true;
    case Op::nothing:
      return static_cast<code::GridControl>(instruction.mode) == code::GridControl::none;
    default:
      return false;
  }
}

bool is_access(const code::Instruction& instruction) {
  return instruction.op == Op::load || instruction.op == Op::store || instruction.op == Op::atomic;
}

}  // namespace

void SpinLoop::begin(const SpinRead& spin_read, const Group& group,
                     const watch::Counters& counters) {
  spin_read_ = spin_read;
  lanes_ = group.mask;
  loop_ = &loops_[spin_read.pc];
  const std::byte* const registers = group.frame->registers();
  registers_.clear();
  for (const auto [slot, bytes] : loop_->written)
    registers_.insert(registers_.end(), registers + slot, registers + slot + bytes);
  counters.mark(mark_);
}

bool SpinLoop::is_again(const SpinRead& spin_read, const Group& group,
                        const watch::Counters& counters) {
  const bool is_same_place =
      spin_read.run == spin_read_.run && spin_read.pc == spin_read_.pc && group.mask == lanes_;
  const bool only_read = spin_read.changes == spin_read_.changes &&
                         spin_read.reported == spin_read_.reported &&
                         spin_read.accesses == spin_read_.accesses + 1;
  if (!is_same_place || !only_read) return false;
  if (blocks_.empty()) classify_blocks();
  std::uint64_t accesses = 0;
  bool does_no_more = true, is_known = true;
  counters.for_blocks_since(mark_, [&](std::uint32_t block, std::uint64_t times) {
    accesses += blocks_[block].accesses * times;
    does_no_more &= blocks_[block].accesses != does_more;
    is_known &= std::count(loop_->blocks.begin(), loop_->blocks.end(), block) > 0;
  });
  if (!does_no_more || accesses != 1) return false;
  if (is_known) return writes_the_same(*group.frame);
  counters.for_blocks_since(mark_,
                            [&](std::uint32_t block, std::uint64_t) { add_block(*loop_, block); });
  return false;
}

bool SpinLoop::writes_the_same(const CallFrame& frame) const {
  const std::byte* before = registers_.data();
  return std::all_of(loop_->written.begin(), loop_->written.end(), [&](const Written& written) {
    const std::byte* const now = frame.registers() + written.slot;
    return std::memcmp(std::exchange(before, before + written.bytes), now, written.bytes) == 0;
  });
}

void SpinLoop::classify_blocks() {
  blocks_.resize(program_.block_sizes.size());
  std::uint32_t block = 0;
  for (const code::Instruction& instruction : program_.code) {
    if (instruction.op == Op::enter) block = instruction.target;
    std::uint8_t& accesses = blocks_[block].accesses;
    if (is_access(instruction))
      accesses = static_cast<std::uint8_t>(std::min(accesses + 1, does_more + 0));
    else if (!only_computes(instruction))
      accesses = does_more;
    add_written(instruction, blocks_[block].written);
  }
}

/// @param written in,out
void SpinLoop::add_written(const code::Instruction& instruction,
                           std::vector<Written>& written) const {
  const auto add = [&](code::Slot slot, std::uint32_t bytes_of_lane) {
    constexpr std::uint32_t bytes_of_mask = 4, lanes = 32;
    const std::uint32_t bytes = bytes_of_lane ? bytes_of_lane * lanes : bytes_of_mask;
    if (slot != code::no_slot) written.push_back({slot, bytes});
  };
  if (instruction.op == Op::activemask) add(instruction.d, 4);
  if (instruction.op == Op::lanes) {
    add(instruction.d, instruction.d_bytes);
    add(instruction.d2, 0);
  }
  if (!is_access(instruction)) return;
  const code::Access& access = program_.accesses[instruction.access];
  for (unsigned e = 0; e < access.elements; ++e) add(access.data[e], access.register_bytes[e]);
}

void SpinLoop::add_block(Loop& loop, std::uint32_t block) const {
  if (std::count(loop.blocks.begin(), loop.blocks.end(), block)) return;
  loop.blocks.push_back(block);
  const std::vector<Written>& more = blocks_[block].written;
  loop.written.insert(loop.written.end(), more.begin(), more.end());
}

}  // namespace warpwise::machine
