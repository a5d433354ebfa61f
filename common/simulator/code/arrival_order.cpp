#include "simulator/code/arrival_order.h"

#include <algorithm>

#include "simulator/code/deciding_values.h"
#include "simulator/code/special_names.h"
#include "simulator/code/values_of_others.h"

namespace warpwise::code {
namespace {

bool gives_an_answer(const ptx::Instruction& instruction) {
  return instruction.kind() == isa::Kind::atomic &&
         instruction.operands[0].kind != ptx::Operand::Kind::address;
}

/// An atomic whose answer depends on who came first.
bool asks_an_atomic(const ptx::Instruction& instruction) {
  return gives_an_answer(instruction) && !only_reads(instruction);
}

/// Likewise, and who it was decides: not a count.
bool asks_a_swap(const ptx::Instruction& instruction) {
  return gives_an_answer(instruction) && is_swap(instruction);
}

bool names_block(const ptx::Instruction& instruction) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [](const ptx::Operand& operand) {
                       if (operand.kind != ptx::Operand::Kind::special) return false;
                       const auto special = special_named(operand.name);
                       return special && *special <= Special::last_of_block;
                     });
}

/// The instruction reads what is another value in another thread.
bool names_thread(const ptx::Instruction& instruction) {
  return names_block(instruction) ||
         std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [](const ptx::Operand& operand) {
                       if (operand.kind != ptx::Operand::Kind::special) return false;
                       const auto special = special_named(operand.name);
                       return special == Special::tid_x || special == Special::tid_y ||
                              special == Special::tid_z || special == Special::laneid ||
                              special == Special::warpid;
                     });
}

/// Marks the stores of one function that leave order behind.
class LeftOrder {
 public:
  LeftOrder(const FunctionCode& code, const Lookers& atomics, const Lookers& swaps)
      : code_(code),
        passed_(code.text(), code.blocks()),
        by_atomics_(values_of_others(code, passed_,
                                     {asks_an_atomic, results_of(atomics, code.text()), asks_a_swap,
                                      results_of(swaps, code.text())})),
        by_swaps_(values_of_others(code, passed_,
                                   {asks_a_swap, results_of(swaps, code.text()), asks_a_swap,
                                    results_of(swaps, code.text())})),
        at_once_(changed_by_others(code.text(), results_of(atomics, code.text()), asks_an_atomic)),
        by_thread_(changed_by_others(code.text(), {}, names_thread)),
        by_block_(changed_by_others(code.text(), {}, names_block)),
        behind_(code.blocks().size(), Behind::nothing) {}

  void mark() {
    look_behind_branches();
    for (std::size_t block = 0; block < code_.blocks().size(); ++block)
      for (std::size_t at = code_.blocks()[block].first; at < code_.blocks()[block].last; ++at)
        if (leaves_order(at, behind_of(at, behind_[block])))
          code_.visit_sites(at, [](Site& site) { site.leaves_order = !site.is_swap_loop; });
  }

 private:
  /// What decided that an instruction runs.
  enum class Behind : std::uint8_t {
    nothing,        ///< that depends on others
    shared_answer,  ///< an atomic's answer that a block's threads share
    own_answer,     ///< of the thread's own
  };

  Behind behind_of(std::size_t at, Behind block) const {
    const int guard = code_.at(at).guard;
    return guard < 0 ? block : std::max(block, behind_by(static_cast<std::size_t>(guard)));
  }

  Behind behind_by(std::size_t guard) const {
    if (at_once_[guard]) return Behind::own_answer;
    return by_atomics_[guard] ? Behind::shared_answer : Behind::nothing;
  }

  void look_behind_branches() {
    const std::vector<BasicBlock>& blocks = code_.blocks();
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      if (blocks[block].successors.size() < 2) continue;
      const int guard = code_.at(blocks[block].last - 1).guard;
      const Behind behind =
          guard < 0 ? Behind::nothing : behind_by(static_cast<std::size_t>(guard));
      if (behind == Behind::nothing) continue;
      for (const std::size_t side : sides_of(block, blocks, passed_))
        behind_[side] = std::max(behind_[side], behind);
    }
  }

  bool leaves_order(std::size_t at, Behind behind) const {
    const ptx::Instruction& instruction = code_.at(at);
    const bool is_atomic = instruction.kind() == isa::Kind::atomic;
    if (instruction.kind() != isa::Kind::store && !is_atomic) return false;
    // What is counted or added up is the same in any order.
    const bool replaces = !is_atomic || is_swap(instruction);
    const bool is_placed = is_placed_by(instruction, by_atomics_);
    const bool is_given = has_value_of(instruction, by_atomics_);
    if (is_placed != is_given)
      return is_placed ? has_value_of(instruction, by_thread_)
                       : replaces && is_placed_by(instruction, by_thread_);
    // A ticket's own place: which there are is the same in any order. Not so with what swaps chose.
    if (is_placed)
      return (is_placed_by(instruction, by_swaps_) || has_value_of(instruction, by_swaps_)) &&
             has_value_of(instruction, by_thread_);
    if (!replaces) return false;
    if (is_atomic) return has_value_of(instruction, by_thread_);
    switch (behind) {
      case Behind::nothing:
        return false;
      case Behind::shared_answer:
        return has_value_of(instruction, by_block_);
      case Behind::own_answer:
        return has_value_of(instruction, by_thread_);
    }
    return false;
  }

  const FunctionCode& code_;
  PostDominators passed_;
  std::vector<bool> by_atomics_;  ///< registers that follow from atomics, by whatever way
  std::vector<bool> by_swaps_;    ///< and of these from swaps
  std::vector<bool> at_once_;     ///< from atomics, by way of registers only
  std::vector<bool> by_thread_, by_block_;
  std::vector<Behind> behind_;  ///< of each block
};

}  // namespace

void find_arrival_order(Program& program) {
  const Lookers atomics = lookers(program, asks_an_atomic), swaps = lookers(program, asks_a_swap);
  for (const FunctionCode& code : functions_of(program)) {
    LeftOrder(code, atomics, swaps).mark();
    const DecidingValues deciding(code);
    for (std::size_t at = 0; at < code.size(); ++at)
      if (deciding.are_given_by(at)) code.visit_sites(at, [](Site& site) { site.decides = true; });
  }
}

bool follows_memory(const Program& program) {
  return std::any_of(program.sites.begin(), program.sites.end(),
                     [](const Site& site) { return site.decides; });
}

}  // namespace warpwise::code
