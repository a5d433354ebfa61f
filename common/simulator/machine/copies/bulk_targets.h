#pragma once
#include <cstdint>
#include <deque>

namespace warpwise::machine {

/// The global memory that bulk stores of a block's threads may still write: until the thread that
/// began one has waited for its end, there is neither the old nor the new. To have waited until the
/// source was read is not enough.
class BulkTargets {
 public:
  struct Target {
    std::uint64_t address = 0, bytes = 0;
    unsigned warp = 0, lane = 0;      ///< that began it
    std::uint32_t site = 0;           ///< of the store
    bool updates = false;             ///< by atomic operations: in no other's way
    std::uint32_t groups_behind = 0;  ///< that the thread has committed, with the store's own
  };
  struct Hit {
    unsigned lane = 0;  ///< of the access
    const Target* target = nullptr;
  };

  void start_block() { targets_.clear(); }
  bool any() const { return !targets_.empty(); }
  void add(const Target& target);

  /// Makes a group of all that the lanes have begun since the last time.
  void commit(unsigned warp, std::uint32_t lanes);
  /// Lanes wait until at most so many of their groups are in flight.
  void wait(unsigned warp, std::uint32_t lanes, std::uint32_t groups);

  /// A store that an access must not meet; null where there is none.
  /// @param lowest, highest of the addresses.
  Hit in_the_way(std::uint32_t mask, const std::uint64_t* addresses, unsigned bytes, bool is_atomic,
                 std::uint64_t lowest, std::uint64_t highest) const;

 private:
  std::deque<Target> targets_;                ///< the latest, in the order in which they were begun
  std::uint64_t lowest_ = ~0ull, above_ = 0;  ///< around all that have been there
};

}  // namespace warpwise::machine
