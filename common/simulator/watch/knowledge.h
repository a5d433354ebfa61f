#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace warpwise::watch {

/// What comes before something: of each warp, of single lanes or of all of them, every access up to
/// a clock. A vector clock that names only those it knows of.
///
/// It consists of pieces, each about a few neighbouring warps. What is joined shares the pieces on
/// which both agree: after a barrier of a large grid nearly all.
class Knowledge {
 public:
  /// Stands for all lanes of a warp.
  static constexpr unsigned every_lane = 32;
  using Shared = std::shared_ptr<const Knowledge>;

  /// True where an access of the lane at that clock of its warp comes before.
  bool covers(std::uint64_t warp, unsigned lane, std::uint32_t clock) const;
  /// Adds what comes before by one lane, or by all of a warp. In order of warp, all lanes first.
  /// Not to what was joined.
  void append(std::uint64_t warp, unsigned lane, std::uint32_t clock);
  bool empty() const { return pieces_.empty(); }

  /// What either knows. Null knows nothing.
  static Shared join(const Shared& a, const Shared& b);

 private:
  static constexpr std::uint64_t warps_per_piece = 16;

  struct Entry {
    std::uint64_t who;
    std::uint32_t clock;
  };
  struct Piece {
    std::uint64_t number;
    std::vector<Entry> entries;  ///< sorted
  };
  using PiecePtr = std::shared_ptr<Piece>;

  static std::uint64_t key(std::uint64_t warp, unsigned lane) {
    return warp * (every_lane + 1) + (lane == every_lane ? 0 : lane + 1);
  }
  static std::uint32_t clock_of(const Piece& piece, std::uint64_t who);
  static PiecePtr join(const PiecePtr& a, const PiecePtr& b);
  static Shared join_pieces(const Shared& a, const Shared& b);

  std::vector<PiecePtr> pieces_;  ///< sorted; never changed once another has them too
};

}  // namespace warpwise::watch
