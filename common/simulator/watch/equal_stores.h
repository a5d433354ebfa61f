#pragma once
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace warpwise::watch {

/// Which threads have stored to a cell of global memory what others store there in no order. Each
/// of them may read it: whoever came last, it finds the value that it has stored itself.
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
    const auto warps = cells_.find(cell);
    if (warps == cells_.end()) return 0;
    const auto lanes = warps->second.find(warp);
    return lanes == warps->second.end() ? 0 : lanes->second;
  }
  void add(std::uint64_t cell, std::uint64_t warp, std::uint32_t lanes) {
    if (storers_ >= most_storers) return;
    std::uint32_t& known = cells_[cell][warp];
    storers_ += known == 0;
    known |= lanes;
  }
  /// Only these have.
  void replace(std::uint64_t cell, std::uint64_t warp, std::uint32_t lanes) {
    const auto warps = cells_.find(cell);
    const bool is_only_one = warps != cells_.end() && warps->second.size() == 1;
    // A warp's lanes often store the same again.
    if (is_only_one && warps->second.begin()->first == warp) {
      warps->second.begin()->second = lanes;
      return;
    }
    forget(cell);
    add(cell, warp, lanes);
  }
  /// Something else is stored there, or after them.
  void forget(std::uint64_t cell) {
    const auto warps = cells_.find(cell);
    if (warps == cells_.end()) return;
    storers_ -= warps->second.size();
    cells_.erase(warps);
  }

 private:
  /// More are not remembered.
  static constexpr std::size_t most_storers = 1 << 16;

  std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint32_t>> cells_;
  std::size_t storers_ = 0;  ///< warps of all cells
};

}  // namespace warpwise::watch
