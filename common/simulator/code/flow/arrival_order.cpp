#include "simulator/code/flow/arrival_order.h"

#include <algorithm>

#include "simulator/code/flow/places.h"
#include "simulator/code/lowering/special_names.h"
#include "simulator/code/values/deciding_values.h"
#include "simulator/code/values/values_of_others.h"

namespace warpwise::code {
namespace {

bool gives_an_answer(const ptx::Instruction& instruction) {
  return instruction.kind() == isa::Kind::atomic &&
         instruction.operands[0].kind != ptx::Operand::Kind::address;
}

/// The result of the instruction depends on which thread came first: an atomic's answer, or the
/// content of global memory that other threads may write meanwhile.
bool asks_others(const ptx::Instruction& instruction) {
  const bool is_in_block = instruction.match.variant.has("shared");
  return looks_at_memory(instruction) &&
         (instruction.kind() == isa::Kind::atomic ? gives_an_answer(instruction) : !is_in_block);
}

/// Likewise, and the value itself depends on which thread came: it is not a count.
bool chooses_among_others(const ptx::Instruction& instruction) {
  return asks_others(instruction) && chooses_by_order(instruction);
}

bool never(const ptx::Instruction&) { return false; }

/// The instruction reads a special register of that kind.
template <class IsWanted>
bool reads_special(const ptx::Instruction& instruction, IsWanted is_wanted) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [&](const ptx::Operand& operand) {
                       if (operand.kind != ptx::Operand::Kind::special) return false;
                       const auto special = special_named(operand.name);
                       return special && is_wanted(*special);
                     });
}

bool is_of_block(Special special) { return special <= Special::last_of_block; }

bool is_of_thread(Special special) {
  return special == Special::tid_x || special == Special::tid_y || special == Special::tid_z ||
         special == Special::laneid || special == Special::warpid;
}

bool names_block(const ptx::Instruction& instruction) {
  return reads_special(instruction, is_of_block);
}

/// The instruction reads a value that differs between threads.
bool names_thread(const ptx::Instruction& instruction) {
  return reads_special(
      instruction, [](Special special) { return is_of_block(special) || is_of_thread(special); });
}

/// Marks the stores of one function that leave a trace of the arrival order in memory.
class LeftOrder {
 public:
  LeftOrder(const FunctionCode& code, const FunctionNames& askers, const FunctionNames& choosers)
      : code_(code),
        by_thread_(changed_by_others(code.text(), {}, names_thread)),
        by_block_(changed_by_others(code.text(), {}, names_block)),
        answers_(results_of(askers, code.text())),
        behind_(code.blocks().size(), Behind::nothing) {
    add_loads_behind_locks();
    by_others_ = values_of_others(
        code, {asks_others, answers_, chooses_among_others, results_of(choosers, code.text())});
    at_once_ = changed_by_others(code.text(), answers_, asks_others);
  }

  void mark() {
    look_behind_branches();
    for (std::size_t block = 0; block < code_.blocks().size(); ++block)
      for (std::size_t at = code_.blocks()[block].first; at < code_.blocks()[block].last; ++at)
        if (leaves_order(at, behind_of(at, behind_[block])))
          code_.visit_sites(at, [](Site& site) { site.leaves_order = !site.is_swap_loop; });
  }

 private:
  /// The reason why an instruction runs.
  enum class Behind : std::uint8_t {
    nothing,        ///< that depends on others
    shared_answer,  ///< an answer of others that a block's threads share
    own_answer,     ///< of the thread's own
  };

  /// Where threads can lock each other out, a value that all of them load from one place may have
  /// been left there by the previous thread.
  void add_loads_behind_locks() {
    const auto& body = code_.text().body;
    const bool can_lock = std::any_of(body.begin(), body.end(), [](const auto& instruction) {
      return is_swap(instruction) && gives_an_answer(instruction);
    });
    if (!can_lock) return;
    for (std::size_t at = 0; at < code_.size(); ++at) {
      const Access* access = code_.access_at(at);
      if (access && code_.at(at).kind() == isa::Kind::load &&
          (access->space == Space::global || access->space == Space::generic) &&
          !is_placed_by(code_.at(at), by_thread_))
        answers_.insert(at);
    }
  }

  Behind behind_of(std::size_t at, Behind block) const {
    const int guard = code_.at(at).guard;
    return guard < 0 ? block : std::max(block, behind_by(static_cast<std::size_t>(guard)));
  }

  Behind behind_by(std::size_t guard) const {
    if (at_once_[guard]) return Behind::own_answer;
    return by_others_[guard] ? Behind::shared_answer : Behind::nothing;
  }

  void look_behind_branches() {
    const std::vector<BasicBlock>& blocks = code_.blocks();
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      if (blocks[block].successors.size() < 2) continue;
      const int guard = code_.at(blocks[block].last - 1).guard;
      const Behind behind =
          guard < 0 ? Behind::nothing : behind_by(static_cast<std::size_t>(guard));
      if (behind == Behind::nothing) continue;
      for (const std::size_t side : code_.sides_of(block))
        behind_[side] = std::max(behind_[side], behind);
    }
  }

  bool leaves_order(std::size_t at, Behind behind) {
    const ptx::Instruction& instruction = code_.at(at);
    const bool is_atomic = instruction.kind() == isa::Kind::atomic;
    if (instruction.kind() != isa::Kind::store && !is_atomic) return false;
    // A count or a sum is the same in any order.
    const bool replaces = !is_atomic || is_swap(instruction);
    const bool is_placed = is_placed_by(instruction, by_others_);
    const bool is_given = has_value_of(instruction, by_others_);
    if (is_placed != is_given)
      return is_placed ? has_value_of(instruction, by_thread_)
                       : replaces && is_placed_by(instruction, by_thread_);
    if (is_placed) return !is_tickets_own(at);
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

  /// Place and value follow from the same tickets: the set of tickets is the same in any order. A
  /// chosen value is not a ticket.
  bool is_tickets_own(std::size_t at) {
    const ptx::Instruction& instruction = code_.at(at);
    if (sources_.empty()) find_sources();
    return sources_.size() <= most_sources &&
           std::all_of(sources_.begin(), sources_.end(), [&](const Source& source) {
             const bool is_placed = is_placed_by(instruction, source.reached);
             const bool is_given = has_value_of(instruction, source.reached);
             return is_placed == is_given && !(is_placed && source.is_choice);
           });
  }

  void find_sources() {
    for (std::size_t at = 0; at < code_.size() && sources_.size() <= most_sources; ++at) {
      if (!asks_others(code_.at(at)) && !answers_.count(at)) continue;
      const bool is_choice = chooses_among_others(code_.at(at));
      const Places chosen = is_choice ? Places{at} : Places{};
      sources_.push_back({values_of_others(code_, {never, {at}, never, chosen}), is_choice});
    }
  }

  const FunctionCode& code_;
  /// An instruction that asks others, or a call that has done so.
  struct Source {
    std::vector<bool> reached;  ///< registers that follow from its answer
    bool is_choice;
  };
  std::vector<Source> sources_;  ///< empty: not asked for yet
  /// With more of them none is followed by itself.
  static constexpr std::size_t most_sources = 64;
  std::vector<bool> by_others_;  ///< registers that follow from others, in any way
  std::vector<bool> at_once_;    ///< likewise, through registers only
  std::vector<bool> by_thread_, by_block_;
  Places answers_;              ///< of others, except those that asks_others() finds
  std::vector<Behind> behind_;  ///< of each block
};

}  // namespace

void find_arrival_order(Program& program, const Functions& functions) {
  // CUB and Thrust promise the result of their kernels, whichever thread comes first.
  const bool is_library = is_library_name(program.name);
  const FunctionNames askers = functions_with(program, asks_others),
                      choosers = functions_with(program, chooses_among_others);
  for (const FunctionCode& code : functions) {
    if (!is_library) LeftOrder(code, askers, choosers).mark();
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
