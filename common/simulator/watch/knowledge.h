#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace warpwise::watch {

/// What comes before something: of each warp, of single lanes or of all of them, every access up to
/// a clock. A vector clock that names only those it knows of.
class Knowledge {
 public:
  /// Stands for all lanes of a warp.
  static constexpr unsigned every_lane = 32;
  using Shared = std::shared_ptr<const Knowledge>;

  /// True where an access of the lane at that clock of its warp comes before.
  bool covers(std::uint64_t warp, unsigned lane, std::uint32_t clock) const;
  /// Adds what comes before by one lane, or by all of a warp. In order of warp, all lanes first.
  void append(std::uint64_t warp, unsigned lane, std::uint32_t clock);
  bool empty() const { return entries_.empty(); }

  /// What either knows. Null knows nothing.
  static Shared join(const Shared& a, const Shared& b);

 private:
  struct Entry {
    std::uint64_t who;
    std::uint32_t clock;
  };
  static std::uint64_t key(std::uint64_t warp, unsigned lane) {
    return warp * (every_lane + 1) + (lane == every_lane ? 0 : lane + 1);
  }
  std::uint32_t clock_of(std::uint64_t who) const;

  std::vector<Entry> entries_;  ///< sorted
};

}  // namespace warpwise::watch
