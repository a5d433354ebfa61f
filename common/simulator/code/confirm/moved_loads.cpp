#include "simulator/code/confirm/moved_loads.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "simulator/code/flow/dominators.h"
#include "simulator/code/flow/liveness.h"
#include "simulator/code/lowering/lowering.h"

namespace warpwise::code {
namespace {

constexpr std::size_t none = ~std::size_t{0};

class Finder {
 public:
  Finder(const ptx::Function& function, const std::vector<BasicBlock>& blocks)
      : function_(function),
        blocks_(blocks),
        heads_(loop_heads(blocks)),
        ahead_(ways_ahead(blocks)),
        back_(ways_back(blocks)),
        dominators_(ahead_, 0),
        block_of_(function.body.size(), none),
        writers_(function.registers.size()),
        readers_(function.registers.size()),
        is_seen_(function.body.size()),
        wanted_(function.body.size(), none),
        live_(live_at_starts(function, blocks)) {
    for (std::size_t block = 0; block < blocks.size(); ++block)
      for (std::size_t at = blocks[block].first; at < blocks[block].last; ++at)
        block_of_[at] = block;
    for (std::size_t at = 0; at < function.body.size(); ++at)
      visit_registers(function.body[at], [&](int id, bool is_written) {
        (is_written ? writers_ : readers_)[static_cast<std::size_t>(id)].push_back(at);
      });
  }

  std::vector<MovedLoad> find() {
    std::vector<MovedLoad> found;
    for (std::size_t at = 0; at < function_.body.size(); ++at) {
      const std::size_t from = block_of_[at];
      if (function_.body[at].kind() != isa::Kind::load || from == none || !is_movable(at) ||
          !dominators_.is_known(from))
        continue;
      std::size_t to = outside_loops(wanted_in(at), from);
      while (to != from && dominators_.is_passed(from, to) && is_kept(at, to))
        to = dominators_.above(to);
      if (to != from && dominators_.is_passed(from, to)) found.push_back({at, from, to});
      for (const std::size_t head : heads_[from]) {
        const std::size_t before = dominators_.above(head);
        if (heads_[before].count(head)) continue;
        if (rises_from(head, at, Turns::alike))
          found.push_back({at, from, before});
        else if (has_loop_within(head, from) && rises_from(head, at, Turns::begun_alike))
          found.push_back({at, head, before, true});
      }
    }
    return found;
  }

 private:
  /// It may be elsewhere: only its result shows that it ran.
  bool is_movable(std::size_t at) const {
    const ptx::Instruction& instruction = function_.body[at];
    const isa::Kind kind = instruction.kind();
    const bool is_load =
        kind == isa::Kind::load && order_of(instruction.match.variant, false) == Order::none;
    return (kind == isa::Kind::lanes || is_load) && instruction.guard < 0;
  }

  /// What the iterations of a loop have in common: a register's value throughout, or at least its
  /// first value and its later changes, as in a loop within the loop.
  enum class Turns { alike, begun_alike };

  /// Whether there is a loop around the block within that one.
  bool has_loop_within(std::size_t head, std::size_t block) const {
    return std::any_of(heads_[block].begin(), heads_[block].end(), [&](std::size_t inner) {
      return inner != head && heads_[inner].count(head);
    });
  }

  /// Each iteration of the loop would load the same value.
  bool rises_from(std::size_t head, std::size_t load, Turns turns) {
    const std::vector<bool>& changing = changing_in(head, turns);
    bool is_same = true;
    visit_registers(function_.body[load], [&](int id, bool is_written) {
      is_same &= is_written || !changing[static_cast<std::size_t>(id)];
    });
    for (std::size_t block = 0; is_same && block < blocks_.size(); ++block)
      is_same = !heads_[block].count(head) ||
                !keeps(blocks_[block].first, blocks_[block].last, function_.body[load]);
    return is_same;
  }

  /// By register, whether it may have another value in the loop's next turn.
  const std::vector<bool>& changing_in(std::size_t head, Turns turns) {
    const auto [entry, is_new] = changing_.try_emplace({head, turns}, function_.registers.size());
    std::vector<bool>& changing = entry->second;
    if (!is_new) return changing;
    std::vector<std::size_t> left;
    const auto add = [&](std::size_t id) {
      if (!changing[id]) left.push_back(id);
      changing[id] = true;
    };
    for (std::size_t id = 0; id < writers_.size(); ++id) {
      const std::vector<std::size_t>& writers = writers_[id];
      std::size_t inside = 0, computed = 0;
      for (const std::size_t at : writers)
        if (is_inside(head, at)) ++inside, computed += is_computed(at);
      const bool is_begun_alike =
          turns == Turns::begun_alike && !live_.has(head, static_cast<int>(id));
      if (inside && (computed < inside || (writers.size() != 1 && !is_begun_alike))) add(id);
    }
    while (!left.empty()) {
      const std::size_t id = left.back();
      left.pop_back();
      for (const std::size_t at : readers_[id])
        if (is_inside(head, at) && is_computed(at))
          visit_registers(function_.body[at], [&](int made, bool is_written) {
            if (is_written) add(static_cast<std::size_t>(made));
          });
    }
    return changing;
  }

  bool is_inside(std::size_t head, std::size_t at) const {
    return block_of_[at] != none && heads_[block_of_[at]].count(head);
  }

  /// Its result follows from registers alone.
  bool is_computed(std::size_t at) const {
    return is_movable(at) && function_.body[at].kind() == isa::Kind::lanes;
  }

  /// The first block that all ways to the readers of its result pass, including readers of values
  /// computed from it.
  std::size_t wanted_in(std::size_t at) {
    // Readers first. Chains of them may be as long as the text: not by recursion.
    std::vector<std::size_t> left = {at};
    while (!left.empty()) {
      const std::size_t next = left.back();
      if (!is_seen_[next]) {
        is_seen_[next] = true;
        wanted_[next] = block_of_[next];
        if (is_movable(next))
          for_readers(next, [&](std::size_t reader) {
            if (!is_seen_[reader]) left.push_back(reader);
          });
      } else {
        left.pop_back();
        if (is_movable(next)) wanted_[next] = common_to_readers(next);
      }
    }
    return wanted_[at];
  }

  /// The last block that all ways to its readers, as far as they are known, pass.
  std::size_t common_to_readers(std::size_t at) const {
    std::size_t common = none;
    for_readers(at, [&](std::size_t reader) {
      const std::size_t block = wanted_[reader];
      if (block == none || !dominators_.is_known(block)) return;
      common = common == none ? block : dominators_.meet(common, block);
    });
    // Readers of other values written to its result register may be anywhere.
    const std::size_t own = block_of_[at];
    return common == none || !dominators_.is_passed(own, common) ? own : common;
  }

  template <class Visit>
  void for_readers(std::size_t at, Visit visit) const {
    visit_registers(function_.body[at], [&](int id, bool is_written) {
      if (!is_written) return;
      for (const std::size_t reader : readers_[static_cast<std::size_t>(id)]) visit(reader);
    });
  }

  /// Nothing is moved into a loop.
  std::size_t outside_loops(std::size_t block, std::size_t from) const {
    const auto is_outside = [&](std::size_t candidate) {
      return std::includes(heads_[from].begin(), heads_[from].end(), heads_[candidate].begin(),
                           heads_[candidate].end());
    };
    while (block != from && block != 0 && !is_outside(block)) block = dominators_.above(block);
    return block;
  }

  /// An instruction between the load and the block might change the loaded value, or orders the
  /// load.
  bool is_kept(std::size_t load, std::size_t to) const {
    const std::size_t from = block_of_[load];
    const std::vector<bool> ahead = reached(from, to, ahead_), behind = reached(to, from, back_);
    const ptx::Instruction& instruction = function_.body[load];
    if (keeps(load + 1, blocks_[from].last, instruction)) return true;
    for (std::size_t block = 0; block < blocks_.size(); ++block)
      if (ahead[block] && behind[block] &&
          keeps(blocks_[block].first, blocks_[block].last, instruction))
        return true;
    return false;
  }

  bool keeps(std::size_t first, std::size_t last, const ptx::Instruction& load) const {
    for (std::size_t at = first; at < last; ++at)
      if (keeps_back(function_.body[at], load)) return true;
    return false;
  }

  /// Blocks other than `start` and `end` that are reached from the start without passing the end.
  static std::vector<bool> reached(std::size_t start, std::size_t end, const Ways& ways) {
    std::vector<bool> seen(ways.size());
    seen[start] = seen[end] = true;
    std::vector<std::size_t> left = {start};
    while (!left.empty()) {
      const std::size_t block = left.back();
      left.pop_back();
      for (const std::size_t to : ways[block]) {
        if (seen[to]) continue;
        seen[to] = true;
        left.push_back(to);
      }
    }
    seen[start] = seen[end] = false;
    return seen;
  }

  static bool keeps_back(const ptx::Instruction& other, const ptx::Instruction& load) {
    const auto is_of = [](const ptx::Instruction& instruction, std::string_view space) {
      return instruction.match.variant["space"].starts_with(space);
    };
    switch (other.kind()) {
      case isa::Kind::lanes:
      case isa::Kind::branch:
      case isa::Kind::branch_table:
      case isa::Kind::exit:
      case isa::Kind::ret:
      case isa::Kind::trap:
      case isa::Kind::shuffle:
      case isa::Kind::vote:
      case isa::Kind::activemask:
      case isa::Kind::match_any:
      case isa::Kind::match_all:
      case isa::Kind::reduce:
      case isa::Kind::elect:
      case isa::Kind::matrix:
      case isa::Kind::convert_address:
      case isa::Kind::test_address:
      case isa::Kind::map_shared:
      case isa::Kind::proxy_fence:
      case isa::Kind::nothing:
        return false;
      case isa::Kind::load:
        return order_of(other.match.variant, false) != Order::none;
      case isa::Kind::store:
        if (is_of(load, "shared")) return !is_of(other, "global") && !is_of(other, "local");
        return load.opcode.find(".nc") == std::string::npos && !is_of(other, "shared") &&
               !is_of(other, "local");
      default:
        return true;
    }
  }

  const ptx::Function& function_;
  const std::vector<BasicBlock>& blocks_;
  const std::vector<std::set<std::size_t>> heads_;
  const Ways ahead_, back_;
  const Dominators dominators_;
  std::vector<std::size_t> block_of_;
  std::vector<std::vector<std::size_t>> writers_, readers_;  ///< by register
  std::vector<bool> is_seen_;
  std::vector<std::size_t> wanted_;
  const RegisterSets live_;
  std::map<std::pair<std::size_t, Turns>, std::vector<bool>> changing_;  ///< by a loop's head
};

}  // namespace

std::vector<MovedLoad> moved_loads(const ptx::Function& function,
                                   const std::vector<BasicBlock>& blocks) {
  return Finder(function, blocks).find();
}

}  // namespace warpwise::code
