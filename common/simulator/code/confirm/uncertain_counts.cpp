#include "simulator/code/confirm/uncertain_counts.h"

#include <algorithm>
#include <optional>
#include <set>

#include "simulator/code/confirm/moved_loads.h"
#include "simulator/code/confirm/selected_loads.h"
#include "simulator/code/flow/dominators.h"
#include "simulator/code/flow/side_exits.h"
#include "simulator/code/values/values_of_others.h"

namespace warpwise::code {
namespace {

class Marks {
 public:
  /// Functions whose results follow from what others wrote, or also from when, and functions in
  /// which the first arrival decides.
  struct AllFunctions {
    FunctionNames memory, all, choosers;
  };

  Marks(const FunctionCode& code, const AllFunctions& functions)
      : program_(code.program()),
        code_(code),
        blocks_(code.blocks()),
        heads_(code.heads()),
        dominators_(ways_ahead(code.blocks()), 0),
        functions_(functions),
        chosen_results_(results_of(functions.choosers, code.text())) {}

  void make() {
    const std::vector<bool> changed = changed_here(functions_.all, looks_at_others);
    const std::vector<bool> by_memory = changed_here(functions_.memory, looks_at_memory);
    for (std::size_t at = 0; at < code_.size(); ++at)
      if (is_placed_by(code_.at(at), changed)) mark(at, {}, true);
    std::set<std::size_t> loops;
    for (const std::set<std::size_t>& around : heads_) loops.insert(around.begin(), around.end());
    for (const std::size_t head : loops) {
      const std::vector<std::size_t> deciders = deciders_of(head);
      const bool waits = decides(deciders, changed);
      const std::optional<std::size_t> way_in = way_into(head, changed);
      for (std::size_t block = 0; block < blocks_.size(); ++block)
        if (heads_[block].count(head))
          for (std::size_t at = blocks_[block].first; at < blocks_[block].last; ++at) {
            mark(at, deciders, waits);
            if (waits && way_in) mark_chosen(at, *way_in);
          }
      // A warp sees an mbarrier or a clock at once: its lanes leave together.
      if (decides(deciders, by_memory)) mark_behind(head);
    }
    if (program_.is_debug || program_.yields_and_calls) mark_partings_in_loops();
    mark_choices_of_others();
    mark_side_exits();
    mark_selected_loads();
    mark_moved_loads();
  }

 private:
  /// One of the branches follows from such a register.
  bool decides(const std::vector<std::size_t>& branches, const std::vector<bool>& changed) const {
    return std::any_of(branches.begin(), branches.end(), [&](std::size_t at) {
      const int guard = code_.at(at).guard;
      return guard >= 0 && changed[static_cast<std::size_t>(guard)];
    });
  }

  /// The block before the loop that decides, by such a register, whether to enter it at all.
  std::optional<std::size_t> way_into(std::size_t head, const std::vector<bool>& changed) const {
    if (!dominators_.is_known(head)) return std::nullopt;
    std::size_t block = dominators_.above(head);
    while (block != 0 && blocks_[block].successors.size() == 1) block = dominators_.above(block);
    if (blocks_[block].successors.size() < 2 || !decides({blocks_[block].last - 1}, changed))
      return std::nullopt;
    return block;
  }

  std::vector<bool> changed_here(const FunctionNames& functions, Matches matches) const {
    return values_of_others(
        code_, {matches, results_of(functions, code_.text()), chooses_by_order, chosen_results_});
  }

  /// For a debug build, or a kernel with YIELD and CALL, the text does not show where the compiled
  /// code lets lanes meet again that diverged in a loop.
  void mark_partings_in_loops() {
    program_.parts_for_longer.resize(program_.code.size());
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      if (heads_[block].empty() || blocks_[block].successors.size() < 2) continue;
      for (const std::uint32_t index : code_.code_of(blocks_[block].last - 1))
        program_.parts_for_longer[index] = true;
    }
  }

  /// The branches, in the body, that leave the loop or start its next iteration.
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

  /// Marks the code after a loop that lanes leave one after another. The GPU may let them go on
  /// alone, up to where all have to wait.
  void mark_behind(std::size_t head) {
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
      if (i < exits || code_.passed().is_passed(head, block))
        if (const std::uint32_t enter = enter_of(block); enter != no_enter) enters.push_back(enter);
      if (waits_for_all(block)) continue;
      for (const std::size_t to : blocks_[block].successors) come_to(to);
    }
    for (const std::size_t block : region)
      for (std::size_t at = blocks_[block].first; at < blocks_[block].last; ++at) {
        if (is_meeting(at)) break;
        code_.visit_counted(at, [&](Site& site) {
          site.side_exits.insert(site.side_exits.end(), enters.begin(), enters.end());
        });
      }
  }

  /// All lanes wait for each other there.
  bool is_meeting(std::size_t at) const {
    switch (code_.at(at).kind()) {
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

  /// Marks accesses that a branch decides about by a value that others may have written meanwhile.
  void mark_choices_of_others() {
    const std::vector<bool> changed =
        changed_by_others(code_.text(), chosen_results_, chooses_by_order);
    const auto follows = [&](const ptx::Instruction& instruction) {
      return instruction.guard >= 0 && changed[static_cast<std::size_t>(instruction.guard)];
    };
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      if (blocks_[block].successors.size() < 2 || !follows(code_.at(blocks_[block].last - 1)))
        continue;
      for (const std::size_t side : code_.sides_of(block))
        for (std::size_t at = blocks_[side].first; at < blocks_[side].last; ++at) {
          mark(at, {}, true);
          mark_chosen(at, block);
        }
    }
    for (std::size_t at = 0; at < code_.size(); ++at)
      if (follows(code_.at(at))) mark(at, {}, true);
  }

  void mark_side_exits() {
    for (const SideExit& exit : side_exits(code_)) {
      const std::uint32_t enter = enter_of(exit.entry);
      if (enter == no_enter) continue;
      for (const std::size_t block : exit.blocks)
        for (std::size_t at = blocks_[block].first; at < blocks_[block].last; ++at)
          code_.visit_counted(at, [&](Site& site) { site.side_exits.push_back(enter); });
    }
  }

  static constexpr std::uint32_t no_enter = ~0u;

  /// Where the block begins in the program.
  std::uint32_t enter_of(std::size_t block) const {
    const std::vector<std::uint32_t>& code = code_.code_of(blocks_[block].first);
    if (code.empty()) return no_enter;
    std::uint32_t enter = *std::min_element(code.begin(), code.end());
    while (program_.code[enter].op != Op::enter) --enter;
    return enter;
  }

  void mark_moved_loads() {
    for (const MovedLoad& load : moved_loads(code_.text(), blocks_)) {
      const std::uint32_t from = enter_of(load.from), to = enter_of(load.to);
      if (from == no_enter || to == no_enter) continue;
      code_.visit_sites(load.at, [&](Site& site) {
        if (!load.is_unrolled || site.is_repeated)
          site.moves.push_back({program_.code[from].target, program_.code[to].target});
      });
    }
  }

  void mark_selected_loads() {
    // The compiled code shows whether it has moved them.
    for (const std::size_t at : selected_loads(code_.text()))
      code_.visit_sites(at, [](Site& site) { site.may_be_skipped |= site.is_guarded; });
  }

  /// The end of that block chooses whether it runs.
  void mark_chosen(std::size_t at, std::size_t block) {
    const std::uint32_t enter = enter_of(block);
    if (enter == no_enter) return;
    code_.visit_counted(at,
                        [&](Site& site) { site.choices.push_back(program_.code[enter].target); });
  }

  void mark(std::size_t at, const std::vector<std::size_t>& deciders, bool depends) {
    code_.visit_counted(at, [&](Site& site) { mark_site(site, deciders, depends); });
  }

  void mark_site(Site& site, const std::vector<std::size_t>& deciders, bool depends) {
    site.depends_on_others |= depends;
    if (!site.is_repeated) return;
    for (const std::size_t decider : deciders)
      for (const std::uint32_t index : code_.code_of(decider))
        if (program_.code[index].op == Op::branch) site.deciders.push_back(index);
  }

  Program& program_;
  const FunctionCode& code_;
  const std::vector<BasicBlock>& blocks_;
  const std::vector<std::set<std::size_t>>& heads_;
  const Dominators dominators_;
  const AllFunctions& functions_;
  Places chosen_results_;  ///< of calls in which the first arrival decides
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

void find_uncertain_counts(Program& program, const Functions& functions) {
  const Marks::AllFunctions found = {functions_with(program, looks_at_memory),
                                     functions_with(program, looks_at_others),
                                     functions_with(program, chooses_by_order)};
  for (const FunctionCode& code : functions) Marks(code, found).make();
  list_deciders(program);
}

}  // namespace warpwise::code
