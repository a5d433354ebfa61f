#pragma once
#include <atomic>
#include <cstdint>
#include <map>

namespace warpwise::memory {

/// Which addresses of a reservation are free. A range that was given back is taken again only after
/// the search has come to the end of the reservation once. One thread at a time, but for laps().
class FreeRanges {
 public:
  /// @param begin the first address of the reservation. @param front bytes that are never taken.
  /// @param bytes of the reservation.
  void start(std::uint64_t begin, std::uint64_t front, std::uint64_t bytes);

  /// Goes on where the last search ended and starts over only at the end of the reservation.
  /// @return the start of a range that is no longer free, a multiple of the alignment, or 0.
  std::uint64_t take(std::uint64_t bytes, std::uint64_t alignment);

  /// The range, which was taken, is free again. It grows together with its neighbours.
  void give_back(std::uint64_t start, std::uint64_t bytes);

  /// How often the search has started over. Any thread may ask.
  unsigned laps() const { return laps_; }

 private:
  std::map<std::uint64_t, std::uint64_t> free_;  ///< start -> length
  std::uint64_t begin_ = 0;
  std::uint64_t cursor_ = 0;  ///< where the search goes on
  std::atomic<unsigned> laps_ = 0;
};

}  // namespace warpwise::memory
