#include "simulator/code/uncertain_counts.h"

#include <algorithm>
#include <map>
#include <set>

#include "simulator/code/changed_values.h"
#include "simulator/code/liveness.h"
#include "simulator/code/lowering.h"
#include "simulator/code/movable_loads.h"
#include "simulator/code/order.h"
#include "simulator/code/post_dominators.h"
#include "simulator/code/side_exits.h"
#include "simulator/code/sinking_loads.h"

namespace warpwise::code {
namespace {

/// The text of one function, and where its code stands in the program.
struct Part {
  const ptx::Function* text;
  std::uint32_t first, last;
};

std::vector<Part> parts_of(const Program& program) {
  std::vector<Part> parts = {{program.text, 0, 0}};
  for (const Function& function : program.functions) {
    parts.back().last = function.entry;
    parts.push_back({function.text, function.entry, 0});
  }
  parts.back().last = static_cast<std::uint32_t>(program.code.size());
  std::erase_if(parts, [](const Part& part) { return part.text == nullptr; });
  return parts;
}

/// The address follows from what others wrote, such as a place that an atomic has counted.
bool is_placed_by_others(const ptx::Instruction& instruction, const std::vector<bool>& changed) {
  const isa::Kind kind = instruction.kind();
  if (kind != isa::Kind::load && kind != isa::Kind::store && kind != isa::Kind::atomic)
    return false;
  const ptx::Operand& address = instruction.operands[kind == isa::Kind::store ? 0 : 1];
  return address.id >= 0 && changed[static_cast<std::size_t>(address.id)];
}

/// The register holds what an addition of a constant, not of 0, gave back: a ticket. Who comes
/// first decides who has which, not which there are.
bool is_ticket(const ptx::Function& function, int id) {
  bool is_any = false, are_all = true;
  for (const ptx::Instruction& instruction : function.body)
    visit_registers(instruction, [&](int written, bool is_written) {
      if (!is_written || written != id) return;
      is_any = true;
      are_all &= instruction.kind() == isa::Kind::atomic && instruction.operands.size() == 3 &&
                 instruction.operands[2].kind == ptx::Operand::Kind::integer &&
                 instruction.operands[2].value != 0;
    });
  return is_any && are_all;
}

class Marks {
 public:
  /// Functions whose results follow from what others wrote, or also from when, and those in which
  /// who comes first decides.
  struct AllLookers {
    Lookers memory, all, choosers;
  };

  Marks(Program& program, const Part& part, const AllLookers& lookers)
      : program_(program),
        part_(part),
        blocks_(basic_blocks(*part.text)),
        lookers_(lookers),
        chosen_results_(results_of(lookers.choosers, *part.text)) {
    for (std::uint32_t i = part.first; i < part.last; ++i)
      code_of_[program.code[i].text].push_back(i);
  }

  void make() {
    const PostDominators passed(*part_.text, blocks_);
    const std::vector<bool> changed = changed_here(passed, lookers_.all, looks_at_others);
    const std::vector<bool> by_memory = changed_here(passed, lookers_.memory, looks_at_memory);
    for (std::size_t at = 0; at < part_.text->body.size(); ++at)
      if (is_placed_by_others(part_.text->body[at], changed)) mark(at, {}, true);
    heads_ = loop_heads(blocks_);
    std::set<std::size_t> loops;
    for (const std::set<std::size_t>& around : heads_) loops.insert(around.begin(), around.end());
    for (const std::size_t head : loops) {
      const std::vector<std::size_t> deciders = deciders_of(head);
      const bool waits = decides(deciders, changed);
      for (std::size_t block = 0; block < blocks_.size(); ++block)
        if (heads_[block].count(head))
          for (std::size_t at = blocks_[block].first; at < blocks_[block].last; ++at)
            mark(at, deciders, waits);
      // A warp sees an mbarrier or a clock at once: its lanes leave together.
      if (decides(deciders, by_memory)) mark_behind(head, passed);
    }
    if (program_.is_debug) mark_partings_in_loops();
    mark_choices_of_others(passed);
    mark_side_exits();
    mark_movable_loads();
    mark_sinking_loads();
  }

 private:
  /// One of the branches follows from such a register.
  bool decides(const std::vector<std::size_t>& branches, const std::vector<bool>& changed) const {
    return std::any_of(branches.begin(), branches.end(), [&](std::size_t at) {
      const int guard = part_.text->body[at].guard;
      return guard >= 0 && changed[static_cast<std::size_t>(guard)];
    });
  }

  /// Registers whose values follow from what others wrote, also by way of shared memory.
  std::vector<bool> changed_here(const PostDominators& passed, const Lookers& lookers,
                                 Looks looks) const {
    Places sources = results_of(lookers, *part_.text);
    Places chosen = chosen_results_;
    for (;;) {
      const std::vector<bool> changed = changed_by_others(*part_.text, sources, looks);
      const std::set<std::uint32_t> arrays = arrays_in_doubt(changed);
      const std::size_t before = sources.size();
      add_chosen(changed_by_others(*part_.text, chosen, chooses_by_order), passed, chosen);
      sources.insert(chosen.begin(), chosen.end());
      if (!arrays.empty())
        for (std::size_t at = 0; at < part_.text->body.size(); ++at)
          if (const Access* access = shared_access(at, isa::Kind::load))
            if (arrays.count(access->shared_array) || arrays.count(Access::any_array) ||
                access->shared_array == Access::any_array)
              sources.insert(at);
      if (sources.size() == before) return changed;
    }
  }

  /// Adds what gives a register one of several values, of which a branch chooses by what others
  /// wrote: `done = true`.
  void add_chosen(const std::vector<bool>& changed, const PostDominators& passed,
                  Places& sources) const {
    std::vector<unsigned> writes(changed.size());
    for (const ptx::Instruction& instruction : part_.text->body)
      visit_registers(instruction, [&](int id, bool is_written) {
        writes[static_cast<std::size_t>(id)] += is_written;
      });
    const auto chooses = [&](std::size_t at) {
      bool is_one_of_several = false;
      visit_registers(part_.text->body[at], [&](int id, bool is_written) {
        is_one_of_several |= is_written && writes[static_cast<std::size_t>(id)] > 1;
      });
      return is_one_of_several;
    };
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      if (blocks_[block].successors.size() < 2) continue;
      const int guard = part_.text->body[blocks_[block].last - 1].guard;
      if (guard < 0 || !changed[static_cast<std::size_t>(guard)]) continue;
      for (const std::size_t side : sides_of(block, passed))
        for (std::size_t at = blocks_[side].first; at < blocks_[side].last; ++at)
          if (chooses(at)) sources.insert(at);
    }
  }

  /// The blocks that a branch decides about: up to where both ways meet.
  std::vector<std::size_t> sides_of(std::size_t branch, const PostDominators& passed) const {
    std::vector<std::size_t> sides = {branch};
    std::set<std::size_t> seen = {branch};
    for (std::size_t i = 0; i < sides.size(); ++i)
      for (const std::size_t to : blocks_[sides[i]].successors)
        if (!passed.is_passed(branch, to) && seen.insert(to).second) sides.push_back(to);
    sides.erase(sides.begin());
    return sides;
  }

  /// Arrays in which it depends on others what stands where: a queue whose places an atomic gives.
  std::set<std::uint32_t> arrays_in_doubt(const std::vector<bool>& changed) const {
    std::set<std::uint32_t> arrays;
    for (std::size_t at = 0; at < part_.text->body.size(); ++at) {
      const Access* access = shared_access(at, isa::Kind::store);
      if (!access) continue;
      const auto& operands = part_.text->body[at].operands;
      const bool is_placed =
          operands[0].id >= 0 && changed[static_cast<std::size_t>(operands[0].id)];
      const auto is_in_doubt = [&](const ptx::Operand& value) {
        return value.id >= 0 && changed[static_cast<std::size_t>(value.id)] &&
               (operands[0].id >= 0 || !is_ticket(*part_.text, value.id));
      };
      const ptx::Operand& value = operands[1];
      if (is_placed || is_in_doubt(value) ||
          std::any_of(value.elements.begin(), value.elements.end(), is_in_doubt))
        arrays.insert(access->shared_array);
    }
    return arrays;
  }

  /// What a load or store of shared memory is in the program; null for other instructions.
  const Access* shared_access(std::size_t at, isa::Kind kind) const {
    const ptx::Instruction& instruction = part_.text->body[at];
    if (instruction.kind() != kind || instruction.operands.size() < 2) return nullptr;
    for (const std::uint32_t index : code_of(at)) {
      const Op op = program_.code[index].op;
      if (op != Op::load && op != Op::store) continue;
      const Access& access = program_.accesses[program_.code[index].access];
      if (access.space == Space::shared) return &access;
    }
    return nullptr;
  }

  /// Where the compiled code of a debug build lets lanes meet again that parted in a loop, its text
  /// does not tell.
  void mark_partings_in_loops() {
    program_.parts_for_longer.resize(program_.code.size());
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      if (heads_[block].empty() || blocks_[block].successors.size() < 2) continue;
      for (const std::uint32_t index : code_of(blocks_[block].last - 1))
        program_.parts_for_longer[index] = true;
    }
  }

  /// The branches, in the body, that leave the loop or begin it anew.
  std::vector<std::size_t> deciders_of(std::size_t head) const {
    std::vector<std::size_t> deciders;
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      const std::vector<std::size_t>& next = blocks_[block].successors;
      const bool decides = std::any_of(next.begin(), next.end(), [&](std::size_t to) {
        return to == head || !heads_[to].count(head);
      });
      if (heads_[block].count(head) && next.size() > 1 && decides)
        deciders.push_back(blocks_[block].last - 1);
    }
    return deciders;
  }

  /// Lanes that leave a loop one after another when others let them go on alone on the GPU, up to
  /// where all have to wait.
  void mark_behind(std::size_t head, const PostDominators& passed) {
    std::vector<std::size_t> region;
    std::set<std::size_t> seen;
    std::vector<std::uint32_t> enters;  // where they may meet again here
    const auto come_to = [&](std::size_t block) {
      if (!heads_[block].count(head) && seen.insert(block).second) region.push_back(block);
    };
    for (std::size_t block = 0; block < blocks_.size(); ++block)
      if (heads_[block].count(head))
        for (const std::size_t to : blocks_[block].successors) come_to(to);
    const std::size_t exits = region.size();
    for (std::size_t i = 0; i < region.size(); ++i) {
      const std::size_t block = region[i];
      if (i < exits || passed.is_passed(head, block))
        if (const std::uint32_t enter = enter_of(block); enter != no_enter) enters.push_back(enter);
      if (waits_for_all(block)) continue;
      for (const std::size_t to : blocks_[block].successors) come_to(to);
    }
    for (const std::size_t block : region)
      for (std::size_t at = blocks_[block].first; at < blocks_[block].last; ++at) {
        if (is_meeting(at)) break;
        for (const std::uint32_t index : code_of(at))
          visit_sites(program_.code[index], [&](Site& site) {
            site.side_exits.insert(site.side_exits.end(), enters.begin(), enters.end());
          });
      }
  }

  /// All lanes wait for each other there.
  bool is_meeting(std::size_t at) const {
    switch (part_.text->body[at].kind()) {
      case isa::Kind::barrier:
      case isa::Kind::warp_barrier:
      case isa::Kind::shuffle:
      case isa::Kind::vote:
      case isa::Kind::reduce:
      case isa::Kind::match_any:
      case isa::Kind::match_all:
        return true;
      default:
        return false;
    }
  }

  bool waits_for_all(std::size_t block) const {
    for (std::size_t at = blocks_[block].first; at < blocks_[block].last; ++at)
      if (is_meeting(at)) return true;
    return false;
  }

  /// What a branch decides by a value that others may have written meanwhile.
  void mark_choices_of_others(const PostDominators& passed) {
    const std::vector<bool> changed =
        changed_by_others(*part_.text, chosen_results_, chooses_by_order);
    const auto follows = [&](const ptx::Instruction& instruction) {
      return instruction.guard >= 0 && changed[static_cast<std::size_t>(instruction.guard)];
    };
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      if (blocks_[block].successors.size() < 2 ||
          !follows(part_.text->body[blocks_[block].last - 1]))
        continue;
      for (const std::size_t side : sides_of(block, passed))
        for (std::size_t at = blocks_[side].first; at < blocks_[side].last; ++at)
          mark(at, {}, true);
    }
    for (std::size_t at = 0; at < part_.text->body.size(); ++at)
      if (follows(part_.text->body[at])) mark(at, {}, true);
  }

  void mark_side_exits() {
    for (const SideExit& exit : side_exits(*part_.text, blocks_)) {
      const std::uint32_t enter = enter_of(exit.entry);
      if (enter == no_enter) continue;
      for (const std::size_t block : exit.blocks)
        for (std::size_t at = blocks_[block].first; at < blocks_[block].last; ++at)
          for (const std::uint32_t index : code_of(at))
            visit_sites(program_.code[index],
                        [&](Site& site) { site.side_exits.push_back(enter); });
    }
  }

  static constexpr std::uint32_t no_enter = ~0u;

  /// Where the block begins in the program.
  std::uint32_t enter_of(std::size_t block) const {
    const std::vector<std::uint32_t>& code = code_of(blocks_[block].first);
    if (code.empty()) return no_enter;
    std::uint32_t enter = *std::min_element(code.begin(), code.end());
    while (program_.code[enter].op != Op::enter) --enter;
    return enter;
  }

  void mark_sinking_loads() {
    for (const SinkingLoad& load : sinking_loads(*part_.text, blocks_)) {
      const std::uint32_t from = enter_of(load.from), to = enter_of(load.to);
      if (from == no_enter || to == no_enter) continue;
      for (const std::uint32_t index : code_of(load.at))
        visit_sites(program_.code[index], [&](Site& site) {
          site.sinkings.push_back({program_.code[from].target, program_.code[to].target});
        });
    }
  }

  void mark_movable_loads() {
    // The compiled code tells whether it has moved them.
    for (const std::size_t at : movable_loads(*part_.text))
      for (const std::uint32_t index : code_of(at))
        visit_sites(program_.code[index],
                    [](Site& site) { site.may_be_skipped |= site.is_guarded; });
  }

  void mark(std::size_t at, const std::vector<std::size_t>& deciders, bool depends) {
    for (const std::uint32_t index : code_of(at))
      visit_sites(program_.code[index], [&](Site& site) { mark_site(site, deciders, depends); });
  }

  /// Calls visit(site) for the accesses of an instruction that are counted.
  template <class Visit>
  void visit_sites(const Instruction& instruction, Visit visit) {
    const auto visit_access = [&](std::uint32_t access) {
      if (program_.accesses[access].space != Space::frame)
        visit(program_.sites[program_.accesses[access].site]);
    };
    if (instruction.op == Op::load || instruction.op == Op::store || instruction.op == Op::atomic) {
      visit_access(instruction.access);
    } else if (instruction.op == Op::operation) {
      const Operation& operation = program_.operations[instruction.access];
      for (const std::uint32_t access : {operation.from, operation.to})
        if (access != Operation::no_access) visit_access(access);
    }
  }

  void mark_site(Site& site, const std::vector<std::size_t>& deciders, bool depends) {
    site.depends_on_others |= depends;
    if (!site.is_repeated) return;
    for (const std::size_t decider : deciders)
      for (const std::uint32_t index : code_of(decider))
        if (program_.code[index].op == Op::branch) site.deciders.push_back(index);
  }

  const std::vector<std::uint32_t>& code_of(std::size_t at) const {
    static const std::vector<std::uint32_t> none;
    const auto found = code_of_.find(static_cast<std::uint32_t>(at));
    return found == code_of_.end() ? none : found->second;
  }

  Program& program_;
  const Part& part_;
  std::vector<BasicBlock> blocks_;
  const AllLookers& lookers_;
  Places chosen_results_;                     ///< of calls, in which who comes first decides
  std::vector<std::set<std::size_t>> heads_;  ///< of each block the loops around it
  std::map<std::uint32_t, std::vector<std::uint32_t>>
      code_of_;  ///< of each instruction of the text
};

void list_deciders(Program& program) {
  std::set<std::uint32_t> branches;
  for (const Site& site : program.sites)
    branches.insert(site.deciders.begin(), site.deciders.end());
  std::uint32_t block = 0;
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    if (program.code[at].op == Op::enter) block = program.code[at].target;
    if (branches.count(at)) program.deciders.push_back({at, block});
  }
}

}  // namespace

bool follows_memory(const Program& program) {
  const std::vector<Part> parts = parts_of(program);
  return std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
    const std::vector<ptx::Instruction>& body = part.text->body;
    Places loads;
    for (std::uint32_t i = part.first; i < part.last; ++i) {
      const Instruction& instruction = program.code[i];
      if (instruction.op == Op::load && program.accesses[instruction.access].space != Space::frame)
        loads.insert(instruction.text);
    }
    const std::vector<bool> changed = changed_by_others(*part.text, loads, looks_at_others);
    return std::any_of(body.begin(), body.end(), [&](const ptx::Instruction& instruction) {
      const int guard = instruction.guard;
      return is_placed_by_others(instruction, changed) ||
             (guard >= 0 && changed[static_cast<std::size_t>(guard)]);
    });
  });
}

void find_uncertain_counts(Program& program) {
  const Marks::AllLookers found = {lookers(program, looks_at_memory),
                                   lookers(program, looks_at_others),
                                   lookers(program, chooses_by_order)};
  for (const Part& part : parts_of(program)) Marks(program, part, found).make();
  list_deciders(program);
}

}  // namespace warpwise::code
