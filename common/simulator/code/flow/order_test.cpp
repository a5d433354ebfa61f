// Basic blocks and the order in which lanes run them.

#include "simulator/code/flow/order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "simulator/code/code_fixture.h"

using namespace warpwise;
using namespace warpwise::code;

namespace {

std::vector<BasicBlock> graph(const std::vector<std::vector<std::size_t>>& successors) {
  std::vector<BasicBlock> blocks;
  for (std::size_t i = 0; i < successors.size(); ++i) blocks.push_back({i, i + 1, successors[i]});
  return blocks;
}

std::vector<std::size_t> positions(const std::vector<BasicBlock>& blocks) {
  auto order = execution_order(blocks);
  std::vector<std::size_t> position(blocks.size(), blocks.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  return position;
}

using Set = std::set<std::size_t>;

/// Blocks that can be reached from `start` without entering `barred`.
Set reached(const std::vector<BasicBlock>& blocks, std::size_t start, std::size_t barred) {
  Set seen{start};
  std::vector<std::size_t> open{start};
  while (!open.empty()) {
    std::size_t block = open.back();
    open.pop_back();
    for (std::size_t next : blocks[block].successors)
      if (next != barred && seen.insert(next).second) open.push_back(next);
  }
  return seen;
}

/// Loops by another definition than the code's: a head dominates the source of an edge back to it,
/// and the loop is all that the head dominates and that reaches such a source.
std::vector<Set> loops_by_dominance(const std::vector<BasicBlock>& blocks) {
  constexpr auto nothing = static_cast<std::size_t>(-1);
  Set all = reached(blocks, 0, nothing);
  std::vector<Set> loops;
  for (std::size_t head : all) {
    Set without = head == 0 ? Set{} : reached(blocks, 0, head), loop;
    auto dominated = [&](std::size_t block) { return all.count(block) && !without.count(block); };
    for (std::size_t block : all) {
      if (!dominated(block)) continue;
      // Does a way lead from here back to the head, within the blocks that the head dominates?
      Set from_here{block};
      std::vector<std::size_t> open{block};
      bool returns = false;
      while (!open.empty()) {
        std::size_t at = open.back();
        open.pop_back();
        for (std::size_t next : blocks[at].successors) {
          returns |= next == head;
          if (next != head && dominated(next) && from_here.insert(next).second)
            open.push_back(next);
        }
      }
      if (returns) loop.insert(block);
    }
    if (!loop.empty()) loops.push_back(loop);
  }
  return loops;
}

/// Every loop is contiguous, and every edge that does not close a loop goes forward.
void check_order(const std::vector<BasicBlock>& blocks) {
  auto position = positions(blocks);
  auto loops = loops_by_dominance(blocks);
  for (const Set& loop : loops) {
    std::size_t first = blocks.size(), last = 0;
    for (std::size_t block : loop) {
      first = std::min(first, position[block]);
      last = std::max(last, position[block]);
    }
    CHECK(last - first + 1 == loop.size());
  }
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    if (position[block] == blocks.size()) continue;
    for (std::size_t next : blocks[block].successors) {
      bool closes_loop = std::any_of(loops.begin(), loops.end(), [&](const Set& loop) {
        auto head = *std::min_element(loop.begin(), loop.end(), [&](std::size_t a, std::size_t b) {
          return position[a] < position[b];
        });
        return next == head && loop.count(block);
      });
      CHECK((closes_loop || position[block] < position[next]));
    }
  }
}

/// A random program of if, if/else, while, do/while, break, continue and return.
class Structured {
 public:
  explicit Structured(unsigned seed) : random_(seed) {
    std::size_t entry = block(), end = statements(entry, 3);
    edge(end, block());
  }
  std::vector<BasicBlock> blocks() const { return graph(successors_); }

 private:
  std::size_t block() {
    successors_.emplace_back();
    return successors_.size() - 1;
  }
  void edge(std::size_t from, std::size_t to) { successors_[from].push_back(to); }

  std::size_t statements(std::size_t at, int depth) {
    for (unsigned count = random_() % 3 + 1; count; --count) at = statement(at, depth);
    return at;
  }

  /// Whether control passes the statement's end or jumps away, the code after it starts a new
  /// block.
  std::size_t statement(std::size_t at, int depth) {
    unsigned what = random_() % 6;
    if (depth == 0 || what == 0) return at;
    if (what == 1 && !loops_.empty())
      return jump(at, random_() % 2 ? loops_.back().exit : loops_.back().next);
    if (what <= 3) {
      std::size_t yes = block(), join = 0, end = statements(yes, depth - 1);
      std::size_t no = what == 2 ? block() : 0, no_end = what == 2 ? statements(no, depth - 1) : 0;
      join = block();
      edge(at, yes);
      edge(at, what == 2 ? no : join);
      edge(end, join);
      if (what == 2) edge(no_end, join);
      return join;
    }
    // A while loop tests first, a do loop last.
    std::size_t head = block(), body = block(), test = block(), exit = block();
    edge(at, head);
    edge(head, body);
    if (what == 4) edge(head, exit);
    loops_.push_back({exit, test});
    edge(statements(body, depth - 1), test);
    loops_.pop_back();
    edge(test, head);
    if (what == 5) edge(test, exit);
    return exit;
  }

  /// if (...) break; or continue;
  std::size_t jump(std::size_t at, std::size_t to) {
    std::size_t rest = block();
    edge(at, rest);
    edge(at, to);
    return rest;
  }

  struct Loop {
    std::size_t exit, next;
  };
  std::mt19937 random_;
  std::vector<std::vector<std::size_t>> successors_;
  std::vector<Loop> loops_;
};

}  // namespace

TEST_CASE("both sides of a branch come before the place where they meet") {
  CHECK(execution_order(graph({{1, 2}, {3}, {3}, {}})) == std::vector<std::size_t>{0, 1, 2, 3});
  // The text may have the join before a side.
  auto position = positions(graph({{1, 3}, {2}, {}, {2}}));
  CHECK(position[3] < position[2]);
}

TEST_CASE("a loop that the text leaves in its middle still comes before what follows") {
  // 0 -> 1 (head) -> 2 (leaves to 4) -> 3 -> 1; the exit comes before the rest of the loop.
  auto position = positions(graph({{1}, {3, 2}, {}, {4, 2}, {1}}));
  CHECK(position[4] < position[2]);
}

TEST_CASE("a loop with two ways back comes as one") {
  // Head 1 goes to 2, which returns at once, or to 3, which returns or leaves to 4.
  auto position = positions(graph({{1}, {2, 3}, {1}, {4, 1}, {}}));
  CHECK(position[2] < position[4]);
  CHECK(position[3] < position[4]);
  position = positions(graph({{1}, {3, 2}, {4, 1}, {1}, {}}));
  CHECK(position[3] < position[4]);
}

TEST_CASE("what cannot be reached is left out") {
  CHECK(execution_order(graph({{2}, {2}, {}})) == std::vector<std::size_t>{0, 2});
}

TEST_CASE("loops that are entered in two places have some order, with every block once") {
  auto order = execution_order(graph({{1, 2}, {2, 3}, {1, 3}, {}}));
  std::sort(order.begin(), order.end());
  CHECK(order == std::vector<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("random structured programs: loops are in one piece, all other edges go forward") {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    check_order(Structured(seed).blocks());
  }
}

TEST_CASE("kernels as nvcc writes them: switch, nested loops, break, continue, early return") {
  test::Source source(R"(
extern "C" __global__ void everything(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  if (i >= n) return;
  #pragma unroll 1
  for (int k = 0; k < in[i]; ++k) {
    switch (in[i + k] % 9) {
      case 0: sum += k; break;
      case 1: sum ^= in[k];
      case 2: continue;
      case 3: for (int j = k; j < n; j += in[j]) { if (in[j] == 7) break; sum += in[j]; } break;
      case 4: out[i] = sum; return;
      case 5: while (true) { if (in[++sum] == 3) continue; if (in[sum] == 4) break; ++sum; } break;
      default: sum *= 3;
    }
    if (sum > 1000) break;
    sum -= in[k];
  }
  out[i] = sum;
}
extern "C" __global__ void straight(int* out) { out[threadIdx.x] = 1; }
)");
  auto blocks = basic_blocks(source.function("everything"));
  CHECK(blocks.size() > 15);
  CHECK(loops_by_dominance(blocks).size() >= 3);
  check_order(blocks);
  std::size_t end = 0;
  for (const BasicBlock& block : blocks) {
    CHECK(block.first == end);
    end = block.last;
  }
  CHECK(end == source.function("everything").body.size());
  CHECK(execution_order(basic_blocks(source.function("straight"))).front() == 0);
}
