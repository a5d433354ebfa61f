#include "simulator/code/lowering/jump_tables.h"

#include <algorithm>

namespace warpwise::code {
namespace {

constexpr std::size_t fewest_constants = 3;
constexpr std::int64_t steps_between = 5;
constexpr std::size_t nowhere = ~std::size_t{0};

/// A block that ends by comparing a register with a constant.
struct Comparison {
  int id = -1;  ///< of the register; -1: it does not
  std::int64_t constant = 0;
  bool is_equality = false;  ///< it branches where both are equal
  bool is_alone = false;     ///< the block does nothing else
};

Comparison comparison_in(const ptx::Function& function, const BasicBlock& block) {
  if (block.successors.size() != 2 || block.last - block.first < 2) return {};
  const ptx::Instruction& branch = function.body[block.last - 1];
  const ptx::Instruction& compare = function.body[block.last - 2];
  const isa::Match& match = compare.match;
  const bool compares = branch.kind() == isa::Kind::branch && compare.kind() == isa::Kind::lanes &&
                        match.syntax->mnemonic() == "setp" && compare.operands.size() == 3 &&
                        compare.guard < 0 && compare.operands[0].id == branch.guard &&
                        compare.operands[1].kind == ptx::Operand::Kind::reg &&
                        compare.operands[2].kind == ptx::Operand::Kind::integer;
  const isa::Type type = compares ? match.variant.last_type() : isa::Type::pred;
  if (type != isa::Type::s32 && type != isa::Type::u32 && type != isa::Type::b32) return {};
  return {compare.operands[1].id, compare.operands[2].value,
          match.variant.has(branch.guard_negated ? "ne" : "eq"), block.last - block.first == 2};
}

class Tables {
 public:
  Tables(const ptx::Function& function, const std::vector<BasicBlock>& blocks)
      : function_(function), blocks_(blocks), before_(blocks.size(), nowhere) {
    const Ways back = ways_back(blocks);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      if (back[i].size() == 1) before_[i] = back[i].front();
    for (const BasicBlock& block : blocks) comparisons_.push_back(comparison_in(function, block));
  }

  std::vector<bool> find() const {
    std::vector<bool> found(blocks_.size());
    for (std::size_t head = 0; head < blocks_.size(); ++head) {
      if (!comparisons_[head].is_equality || is_continued(head)) continue;
      std::vector<std::int64_t> constants;
      std::vector<std::size_t> chain;
      for (std::size_t at = head; at != nowhere; at = next_in_chain(at)) {
        chain.push_back(at);
        constants.push_back(comparisons_[at].constant);
      }
      const Comparison* leads = leading_to(head);
      if (leads && leads->id == comparisons_[head].id && !leads->is_equality)
        constants.push_back(leads->constant);
      const auto [least, most] = std::minmax_element(constants.begin(), constants.end());
      const auto count = static_cast<std::int64_t>(constants.size());
      if (chain.size() > 1 && constants.size() >= fewest_constants &&
          *most - *least <= steps_between * (count - 1))
        for (const std::size_t block : chain) found[block] = true;
    }
    return found;
  }

 private:
  /// A block that only leads to another one.
  bool is_jump(std::size_t block) const {
    const BasicBlock& at = blocks_[block];
    return at.successors.size() == 1 && at.last - at.first == 1 &&
           function_.body[at.first].kind() == isa::Kind::branch;
  }
  /// The comparison after which alone the block runs.
  const Comparison* leading_to(std::size_t block) const {
    std::size_t from = before_[block];
    while (from != nowhere && is_jump(from)) from = before_[from];
    return from == nowhere || comparisons_[from].id < 0 ? nullptr : &comparisons_[from];
  }
  std::size_t next_in_chain(std::size_t block) const {
    const std::size_t next = blocks_[block].successors.front();
    const Comparison &is = comparisons_[block], &follows = comparisons_[next];
    const bool goes_on = before_[next] == block && follows.is_equality && follows.is_alone &&
                         follows.id == is.id && next != block;
    return goes_on ? next : nowhere;
  }
  bool is_continued(std::size_t block) const {
    const std::size_t from = before_[block];
    return from != nowhere && comparisons_[from].is_equality && next_in_chain(from) == block;
  }

  const ptx::Function& function_;
  const std::vector<BasicBlock>& blocks_;
  std::vector<std::size_t> before_;  ///< the only block that leads to each
  std::vector<Comparison> comparisons_;
};

}  // namespace

std::vector<bool> parts_of_tables(const ptx::Function& function,
                                  const std::vector<BasicBlock>& blocks) {
  return Tables(function, blocks).find();
}

}  // namespace warpwise::code
