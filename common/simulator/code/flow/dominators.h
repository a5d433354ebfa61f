#pragma once
#include <cstddef>
#include <vector>

namespace warpwise::code {

/// Finds the nodes of a graph that all ways from its root to a node pass.
///
/// Source: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
class Dominators {
 public:
  /// @param successors of each node, by index.
  Dominators(const std::vector<std::vector<std::size_t>>& successors, std::size_t root);

  /// True where there is a way to the node.
  bool is_known(std::size_t node) const { return above_[node] != none; }
  /// The last that all ways to the node pass before it; of the root: itself.
  std::size_t above(std::size_t node) const { return above_[node]; }
  /// The last that all ways to both pass. Both have to be known.
  std::size_t meet(std::size_t a, std::size_t b) const;
  /// True where all ways to the node `to` pass the other, or it is that node.
  bool is_passed(std::size_t node, std::size_t to) const;

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  std::vector<std::size_t> from_root(const std::vector<std::vector<std::size_t>>& successors);

  std::size_t root_;
  std::vector<std::size_t> above_;
  std::vector<std::size_t> position_;  ///< those near the root have small ones
};

}  // namespace warpwise::code
