#include "simulator/code/liveness.h"

namespace warpwise::code {

std::vector<std::vector<bool>> live_at_starts(const ptx::Function& function,
                                              const std::vector<BasicBlock>& blocks) {
  std::size_t count = function.registers.size();
  using Set = std::vector<bool>;
  std::vector<Set> reads(blocks.size(), Set(count)), writes(blocks.size(), Set(count));
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t i = blocks[b].first; i < blocks[b].last; ++i) {
      const ptx::Instruction& instruction = function.body[i];
      visit_registers(instruction, [&](int id, bool is_written) {
        if (!is_written && !writes[b][id]) reads[b][id] = true;
      });
      // A guarded write may leave the old value in place.
      if (instruction.guard < 0)
        visit_registers(instruction, [&](int id, bool is_written) {
          if (is_written) writes[b][id] = true;
        });
    }
  }
  std::vector<Set> live = reads;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = blocks.size(); b-- > 0;)
      for (std::size_t next : blocks[b].successors)
        for (std::size_t id = 0; id < count; ++id)
          if (live[next][id] && !writes[b][id] && !live[b][id]) live[b][id] = changed = true;
  }
  return live;
}

}  // namespace warpwise::code
