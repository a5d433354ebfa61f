#include "simulator/code/order.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpwise::code {
namespace {

bool ends_block(isa::Kind kind) {
  return kind == isa::Kind::branch || kind == isa::Kind::ret || kind == isa::Kind::exit ||
         kind == isa::Kind::trap;
}

std::size_t target_of(const ptx::Function& function, const ptx::Instruction& branch) {
  const std::string& name = branch.operands.at(0).name;
  auto label = function.labels.find(name);
  if (label == function.labels.end())
    throw ptx::ParseError("PTX line " + std::to_string(branch.text_line) + ": no label " + name);
  return label->second;
}

/// Edges to a block that is still on the depth-first path are back edges; their targets head loops.
class DepthFirst {
 public:
  explicit DepthFirst(std::size_t blocks) : state_(blocks) {}

  /// @param successors gives the order in which a block's successors are visited.
  template <class Successors>
  std::vector<std::size_t> postorder(Successors successors) {
    struct Frame {
      std::size_t block;
      std::vector<std::size_t> rest;
    };
    std::vector<std::size_t> order;
    std::vector<Frame> path;
    auto enter = [&](std::size_t block) {
      state_[block] = 1;
      std::vector<std::size_t> rest = successors(block);
      std::reverse(rest.begin(), rest.end());
      path.push_back({block, std::move(rest)});
    };
    enter(0);
    while (!path.empty()) {
      if (path.back().rest.empty()) {
        state_[path.back().block] = 2;
        order.push_back(path.back().block);
        path.pop_back();
        continue;
      }
      std::size_t next = path.back().rest.back();
      path.back().rest.pop_back();
      if (state_[next] == 1) back_edges.emplace_back(path.back().block, next);
      if (state_[next] == 0) enter(next);
    }
    return order;
  }

  std::vector<std::pair<std::size_t, std::size_t>> back_edges;

 private:
  std::vector<int> state_;
};

/// How many loops each block lies in: for each back edge, the blocks that reach its source without
/// passing its target.
std::vector<std::set<std::size_t>> loops_of(const std::vector<BasicBlock>& blocks) {
  DepthFirst search(blocks.size());
  search.postorder([&](std::size_t block) { return blocks[block].successors; });
  std::vector<std::vector<std::size_t>> predecessors(blocks.size());
  for (std::size_t block = 0; block < blocks.size(); ++block)
    for (std::size_t next : blocks[block].successors) predecessors[next].push_back(block);
  std::map<std::size_t, std::set<std::size_t>> bodies;
  for (auto [source, head] : search.back_edges) {
    std::set<std::size_t>& body = bodies[head];
    body.insert(head);
    std::vector<std::size_t> open{source};
    while (!open.empty()) {
      std::size_t block = open.back();
      open.pop_back();
      if (!body.insert(block).second) continue;
      for (std::size_t before : predecessors[block]) open.push_back(before);
    }
  }
  std::vector<std::set<std::size_t>> loops(blocks.size());
  for (const auto& [head, body] : bodies)
    for (std::size_t block : body) loops[block].insert(head);
  return loops;
}

}  // namespace

std::vector<BasicBlock> basic_blocks(const ptx::Function& function) {
  std::set<std::size_t> starts{0};
  for (const auto& [name, index] : function.labels) starts.insert(index);
  for (std::size_t i = 0; i < function.body.size(); ++i)
    if (ends_block(function.body[i].match.syntax->row().kind)) starts.insert(i + 1);
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
      isa::Kind kind = last.match.syntax->row().kind;
      if (ends_block(kind) && last.guard < 0) falls_through = false;
      if (falls_through) block.successors.push_back(i + 1);
      if (kind == isa::Kind::branch) block.successors.push_back(block_at.at(target_of(function, last)));
    } else if (falls_through) {
      block.successors.push_back(i + 1);
    }
  }
  return blocks;
}

std::vector<std::size_t> execution_order(const std::vector<BasicBlock>& blocks) {
  auto loops = loops_of(blocks);
  DepthFirst search(blocks.size());
  // What is visited first ends up last: leave the loop first, then take the text's own order from behind.
  auto order = search.postorder([&](std::size_t block) {
    std::vector<std::size_t> successors = blocks[block].successors;
    std::reverse(successors.begin(), successors.end());
    std::stable_sort(successors.begin(), successors.end(), [&](std::size_t a, std::size_t b) {
      auto stays = [&](std::size_t to) {
        std::size_t common = 0;
        for (std::size_t head : loops[block]) common += loops[to].count(head);
        return common;
      };
      return stays(a) < stays(b);
    });
    return successors;
  });
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace warpwise::code
