#include "simulator/code/flow/order.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpwise::code {
namespace {

/// True where only a branch reaches the next instruction of the text.
bool never_goes_on(const ptx::Instruction& instruction) {
  isa::Kind kind = instruction.kind();
  bool leaves = kind == isa::Kind::branch || kind == isa::Kind::branch_table ||
                kind == isa::Kind::ret || kind == isa::Kind::exit || kind == isa::Kind::trap;
  return leaves && instruction.guard < 0;
}

/// Lanes meet again after a call, so a block also starts there.
bool ends_block(isa::Kind kind) {
  return kind == isa::Kind::branch || kind == isa::Kind::branch_table || kind == isa::Kind::call ||
         kind == isa::Kind::ret || kind == isa::Kind::exit || kind == isa::Kind::trap;
}

/// The name that a branch gives as its target, or as its list of targets.
const std::string& target_name(const ptx::Instruction& branch, std::size_t operand) {
  if (operand >= branch.operands.size())
    throw ptx::ParseError("PTX line " + std::to_string(branch.text_line) +
                          ": a branch without a target");
  return branch.operands[operand].name;
}

/// Where a branch may lead, as indices of the body.
std::vector<std::size_t> targets_of(const ptx::Function& function, const ptx::Instruction& branch) {
  std::vector<std::string> names;
  if (branch.kind() == isa::Kind::branch) names = {target_name(branch, 0)};
  if (branch.kind() == isa::Kind::branch_table) {
    auto list = function.branch_targets.find(target_name(branch, 1));
    if (list != function.branch_targets.end()) names = list->second;
  }
  std::vector<std::size_t> targets;
  for (const std::string& name : names) {
    auto label = function.labels.find(name);
    if (label == function.labels.end())
      throw ptx::ParseError("PTX line " + std::to_string(branch.text_line) + ": no label " + name);
    targets.push_back(label->second);
  }
  return targets;
}

/// A depth-first walk from the first block. Edges to a block that is still on the path are back
/// edges; their targets head loops.
struct Walk {
  std::vector<std::size_t> reachable;
  std::set<std::pair<std::size_t, std::size_t>> back_edges;
};

Walk walk(const std::vector<BasicBlock>& blocks) {
  enum class State { unseen, on_path, done };
  Walk result;
  std::vector<State> state(blocks.size(), State::unseen);
  std::vector<std::pair<std::size_t, std::size_t>> path;  // block, successors already taken
  auto enter = [&](std::size_t block) {
    state[block] = State::on_path;
    result.reachable.push_back(block);
    path.emplace_back(block, 0);
  };
  enter(0);
  while (!path.empty()) {
    auto& [block, taken] = path.back();
    if (taken == blocks[block].successors.size()) {
      state[block] = State::done;
      path.pop_back();
      continue;
    }
    std::size_t next = blocks[block].successors[taken++];
    if (state[next] == State::on_path) result.back_edges.emplace(block, next);
    if (state[next] == State::unseen) enter(next);
  }
  return result;
}

struct LoopForest : Walk {
  std::vector<std::set<std::size_t>> heads;  ///< per block: the heads of the loops around it
};

/// A loop is its head and all blocks that reach the source of a back edge without passing the head.
LoopForest loops_of(const std::vector<BasicBlock>& blocks) {
  LoopForest forest{walk(blocks), std::vector<std::set<std::size_t>>(blocks.size())};
  std::vector<std::vector<std::size_t>> predecessors(blocks.size());
  for (std::size_t block : forest.reachable)
    for (std::size_t next : blocks[block].successors) predecessors[next].push_back(block);
  for (auto [source, head] : forest.back_edges) {
    forest.heads[head].insert(head);
    std::vector<std::size_t> open{source};
    while (!open.empty()) {
      std::size_t block = open.back();
      open.pop_back();
      if (!forest.heads[block].insert(head).second) continue;
      for (std::size_t before : predecessors[block]) open.push_back(before);
    }
  }
  return forest;
}

std::vector<std::size_t> forward_successors(const std::vector<BasicBlock>& blocks,
                                            const LoopForest& forest, std::size_t block) {
  std::vector<std::size_t> forward;
  for (std::size_t next : blocks[block].successors)
    if (!forest.back_edges.count({block, next})) forward.push_back(next);
  return forward;
}

}  // namespace

std::vector<BasicBlock> basic_blocks(const ptx::Function& function) {
  std::set<std::size_t> starts{0};
  // Debug builds put labels everywhere; labels that no branch names do not end a block.
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    for (std::size_t target : targets_of(function, function.body[i])) starts.insert(target);
    if (ends_block(function.body[i].kind())) starts.insert(i + 1);
  }
  starts.insert(function.body.size());
  std::map<std::size_t, std::size_t> block_at;
  std::vector<BasicBlock> blocks;
  for (auto start = starts.begin(); start != starts.end(); ++start) {
    auto end = std::next(start);
    block_at[*start] = blocks.size();
    blocks.push_back({*start, end == starts.end() ? *start : *end, {}});
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    BasicBlock& block = blocks[i];
    bool falls_through = i + 1 < blocks.size();
    if (block.last > block.first) {
      const ptx::Instruction& last = function.body[block.last - 1];
      if (never_goes_on(last)) falls_through = false;
      if (falls_through) block.successors.push_back(i + 1);
      for (std::size_t target : targets_of(function, last))
        block.successors.push_back(block_at.at(target));
    } else if (falls_through) {
      block.successors.push_back(i + 1);
    }
  }
  return blocks;
}

Ways ways_ahead(const std::vector<BasicBlock>& blocks) {
  Ways ahead;
  for (const BasicBlock& block : blocks) ahead.push_back(block.successors);
  return ahead;
}

Ways ways_back(const std::vector<BasicBlock>& blocks) {
  Ways back(blocks.size());
  for (std::size_t block = 0; block < blocks.size(); ++block)
    for (const std::size_t to : blocks[block].successors) back[to].push_back(block);
  return back;
}

std::vector<std::set<std::size_t>> loop_heads(const std::vector<BasicBlock>& blocks) {
  return loops_of(blocks).heads;
}

std::vector<std::size_t> execution_order(const std::vector<BasicBlock>& blocks) {
  LoopForest forest = loops_of(blocks);
  std::vector<std::size_t> waits_for(blocks.size());
  for (std::size_t block : forest.reachable)
    for (std::size_t next : forward_successors(blocks, forest, block)) ++waits_for[next];
  std::vector<std::size_t> order;
  std::set<std::size_t> ready{0};
  while (!ready.empty()) {
    // All of a loop, whose blocks share its head, before any block outside; else in the order of
    // the text.
    auto shared_loops = [&](std::size_t block) {
      if (order.empty()) return std::size_t{0};
      const auto &here = forest.heads[order.back()], &there = forest.heads[block];
      return static_cast<std::size_t>(std::count_if(
          here.begin(), here.end(), [&](std::size_t head) { return there.count(head) != 0; }));
    };
    std::size_t next = *std::max_element(
        ready.begin(), ready.end(),
        [&](std::size_t a, std::size_t b) { return shared_loops(a) < shared_loops(b); });
    ready.erase(next);
    order.push_back(next);
    for (std::size_t after : forward_successors(blocks, forest, next))
      if (--waits_for[after] == 0) ready.insert(after);
  }
  return order;
}

}  // namespace warpwise::code
