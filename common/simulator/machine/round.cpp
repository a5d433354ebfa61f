#include "simulator/machine/round.h"

#include <algorithm>
#include <cstring>

#include "simulator/machine/frame.h"

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

void Round::begin(const Look& look, const Group& group, const watch::Counters& counters) {
  look_ = look;
  lanes_ = group.mask;
  const std::byte* const registers = group.frame->registers();
  registers_.assign(registers, registers + group.frame->layout.register_bytes);
  counters.mark(mark_);
}

bool Round::is_again(const Look& look, const Group& group, const watch::Counters& counters) {
  const bool is_same_place = look.run == look_.run && look.pc == look_.pc && group.mask == lanes_;
  const bool only_looked = look.changes == look_.changes && look.told == look_.told &&
                           look.accesses == look_.accesses + 1;
  if (!is_same_place || !only_looked) return false;
  if (std::memcmp(registers_.data(), group.frame->registers(), registers_.size()) != 0)
    return false;
  if (accesses_.empty()) classify_blocks();
  std::uint64_t accesses = 0;
  bool does_no_more = true;
  counters.for_blocks_since(mark_, [&](std::uint32_t block, std::uint64_t times) {
    accesses += accesses_[block] * times;
    does_no_more &= accesses_[block] != does_more;
  });
  return does_no_more && accesses == 1;
}

void Round::classify_blocks() {
  accesses_.resize(program_.block_sizes.size());
  std::uint32_t block = 0;
  for (const code::Instruction& instruction : program_.code) {
    if (instruction.op == Op::enter) block = instruction.target;
    std::uint8_t& accesses = accesses_[block];
    if (is_access(instruction))
      accesses = static_cast<std::uint8_t>(std::min(accesses + 1, does_more + 0));
    else if (!only_computes(instruction))
      accesses = does_more;
  }
}

}  // namespace warpwise::machine
