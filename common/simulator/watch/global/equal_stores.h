#pragma once
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace warpwise::watch {

/// Which threads have stored to a cell of global memory what others store there in no order. Each
/// of them may read it: whichever store came last, it finds the value that it has stored itself.
class EqualStores {
 public:
  void clear() {
    cells_.clear();
    storers_ = 0;
  }
  bool empty() const { return cells_.empty(); }
  /// @param cell number of it. @param warp number in the grid.
  /// @return its lanes that have stored the same.
  std::uint32_t lanes(std::uint64_t cell, std::uint64_t warp) const {
    const auto storers = cells_.find(cell);
    if (storers == cells_.end()) return 0;
    const Storer* found = of_warp(storers->second, warp);
    return found != nullptr ? found->lanes : 0;
  }
  void add(std::uint64_t cell, std::uint64_t warp, std::uint32_t lanes) {
    if (storers_ >= most_storers) return;
    std::vector<Storer>& storers = cells_[cell];
    if (Storer* known = of_warp(storers, warp)) {
      known->lanes |= lanes;
      return;
    }
    storers.push_back({warp, lanes});
    ++storers_;
  }
  /// Only these have.
  void replace(std::uint64_t cell, std::uint64_t warp, std::uint32_t lanes) {
    const auto storers = cells_.find(cell);
    // A warp's lanes often store the same again.
    if (storers != cells_.end() && storers->second.size() == 1 &&
        storers->second.front().warp == warp) {
      storers->second.front().lanes = lanes;
      return;
    }
    forget(cell);
    add(cell, warp, lanes);
  }
  /// Something else is stored there, or after them.
  void forget(std::uint64_t cell) {
    const auto storers = cells_.find(cell);
    if (storers == cells_.end()) return;
    storers_ -= storers->second.size();
    cells_.erase(storers);
  }

 private:
  /// More are not remembered.
  static constexpr std::size_t most_storers = 1 << 16;

  struct Storer {
    std::uint64_t warp;
    std::uint32_t lanes;
  };
  /// A block has few warps.
  template <class Storers>
  static auto of_warp(Storers& storers, std::uint64_t warp) -> decltype(storers.data()) {
    for (auto& storer : storers)
      if (storer.warp == warp) return &storer;
    return nullptr;
  }

  std::unordered_map<std::uint64_t, std::vector<Storer>> cells_;
  std::size_t storers_ = 0;  ///< warps of all cells
};

}  // namespace warpwise::watch
