#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "simulator/cudart/queue/queue.h"

namespace warpwise::cudart {

/// The places of a memory pool's allocations on a GPU, as far as they decide how much memory the
/// pool holds of the device. Places are bytes from the pool's beginning. The simulator's own
/// addresses are others: there, none is used again.
class PoolSpace {
 public:
  /// A pool takes memory from the device, and gives it back, in pieces of this size.
  static constexpr std::uint64_t piece_bytes = 32 << 20;

  /// Whether memory may be used again that an operation has only promised to give back.
  using Usable = std::function<bool(const OperationPtr& end, const Stream& stream)>;

  /// Takes the smallest gap that is large enough, or else the place after all allocations.
  /// @param most bytes to hold of the device; 0: no limit.
  /// @return the place; none where the limit forbids it.
  std::optional<std::uint64_t> take(std::uint64_t bytes, std::uint64_t most, const Usable& usable);

  /// The allocation at this place is given back now.
  void give(std::uint64_t place);
  /// The allocation at this place is given back by an operation of a stream.
  void give(std::uint64_t place, OperationPtr end, StreamPtr stream);

  /// Memory given back by operations that are known to be done is now unused.
  /// @return true where there was some.
  bool settle(const std::function<bool(const OperationPtr& end)>& is_known);

  std::uint64_t reserved_bytes() const { return pieces_.size() * piece_bytes; }
  /// Gives pieces without use back to the device while the pool holds more than these bytes.
  void release_above(std::uint64_t bytes);
  /// The same while the pool holds these bytes without such a piece.
  void release_down_to(std::uint64_t bytes);

 private:
  struct Block {
    std::uint64_t bytes = 0;
    OperationPtr end;  ///< gives it back; null: it is in use.
    StreamPtr stream;
  };
  struct Gap {
    std::uint64_t place = 0, bytes = 0;
  };
  Gap smallest_gap(std::uint64_t bytes, const Usable& usable) const;
  void cut(std::uint64_t place, std::uint64_t bytes);
  void release_while(const std::function<bool()>& wanted);

  std::map<std::uint64_t, Block> blocks_;  ///< by place
  std::set<std::uint64_t> pieces_;         ///< those held, by number
  std::uint64_t used_bytes_ = 0;           ///< of all blocks
  std::uint64_t leaving_ = 0;              ///< blocks that an operation gives back
};

}  // namespace warpwise::cudart
