#include "simulator/code/flow/liveness.h"

namespace warpwise::code {

std::vector<unsigned> writes_by_register(const ptx::Function& function) {
  std::vector<unsigned> writes(function.registers.size());
  for (const ptx::Instruction& instruction : function.body)
    visit_registers(instruction, [&](int id, bool is_written) {
      writes[static_cast<std::size_t>(id)] += is_written;
    });
  return writes;
}

bool RegisterSets::join(std::size_t block, std::size_t other, const RegisterSets& without) {
  std::uint64_t fresh = 0;
  for (std::size_t i = 0; i < words_; ++i) {
    std::uint64_t& mine = bits_[block * words_ + i];
    const std::uint64_t more =
        bits_[other * words_ + i] & ~without.bits_[block * words_ + i] & ~mine;
    mine |= more;
    fresh |= more;
  }
  return fresh != 0;
}

RegisterSets live_at_starts(const ptx::Function& function, const std::vector<BasicBlock>& blocks) {
  const std::size_t count = function.registers.size();
  RegisterSets live(blocks.size(), count), writes(blocks.size(), count);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t i = blocks[b].first; i < blocks[b].last; ++i) {
      const ptx::Instruction& instruction = function.body[i];
      visit_registers(instruction, [&](int id, bool is_written) {
        if (!is_written && !writes.has(b, id)) live.add(b, id);
      });
      // A guarded write may leave the old value in place.
      if (instruction.guard < 0)
        visit_registers(instruction, [&](int id, bool is_written) {
          if (is_written) writes.add(b, id);
        });
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = blocks.size(); b-- > 0;)
      for (const std::size_t next : blocks[b].successors) changed |= live.join(b, next, writes);
  }
  return live;
}

}  // namespace warpwise::code
