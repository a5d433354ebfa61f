#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace warpwise::watch {

/// A vector clock, the past of something: of each warp, of single lanes or of all of them, every
/// access up to a clock. It names only those it knows of.
///
/// It consists of pieces, each about a few neighbouring warps. A join shares the pieces on which
/// both operands agree: after a barrier of a large grid nearly all.
class VectorClock {
 public:
  /// Stands for all lanes of a warp.
  static constexpr unsigned every_lane = 32;
  using Shared = std::shared_ptr<const VectorClock>;

  /// True where an access of the lane at that clock of its warp comes before.
  bool covers(std::uint64_t warp, unsigned lane, std::uint32_t clock) const;
  /// True where all that the other knows comes before.
  bool covers(const VectorClock& other) const;
  /// The clock up to which the accesses of all lanes of these warps come before.
  std::uint32_t floor_of(std::uint64_t first_warp, unsigned warps) const;
  /// Adds what comes before by one lane, or by all of a warp. In order of warp, all lanes first.
  /// Not to what was joined.
  void append(std::uint64_t warp, unsigned lane, std::uint32_t clock);
  bool empty() const { return pieces_.empty(); }

  /// Joins what either knows. Null knows nothing.
  static Shared join(const Shared& a, const Shared& b);
  /// Adds what another knows.
  static void learn(Shared& into, const Shared& more) {
    if (more && into != more) into = join(into, more);
  }

 private:
  friend class Forgetting;
  static constexpr std::uint64_t warps_per_piece = 32;

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
  const Piece* find_piece(std::uint64_t warp) const;
  static bool covers(const Piece& piece, const Entry& entry);
  static bool covers(const Piece& piece, const Piece& other);
  static const PiecePtr& join(const PiecePtr& a, const PiecePtr& b);
  static PiecePtr join_entries(const PiecePtr& a, const PiecePtr& b);
  static Shared join_pieces(const Shared& a, const Shared& b);

  std::vector<PiecePtr> pieces_;  ///< sorted; never changed once another has them too
};

/// Takes out of what is known that which will never be asked for again.
class Forgetting {
 public:
  /// @param past all of that. It outlives this.
  explicit Forgetting(const VectorClock& past) : past_(past) {}
  /// What is known beyond the past; null where that is nothing.
  const VectorClock::Shared& rest(const VectorClock::Shared& known);

 private:
  template <class Known>
  struct Rest {
    std::shared_ptr<Known> of, left;  ///< null: not looked at, nothing
  };
  const VectorClock::PiecePtr& rest(const VectorClock::PiecePtr& piece,
                                    const VectorClock::PiecePtr& past);

  const VectorClock::Shared& find_rest(const VectorClock::Shared& known);

  const VectorClock& past_;
  // Most know the same as others, nearly always as one that was asked for lately.
  struct Latest {
    const VectorClock* of = nullptr;
    const VectorClock::Shared* left = nullptr;
  };
  std::array<Latest, 64> latest_{};
  std::unordered_map<const VectorClock*, Rest<const VectorClock>> rests_;
  std::unordered_map<const VectorClock::Piece*, Rest<VectorClock::Piece>> rests_of_pieces_;
};

}  // namespace warpwise::watch
