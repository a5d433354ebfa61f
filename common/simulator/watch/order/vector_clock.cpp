#include "simulator/watch/order/vector_clock.h"

#include <algorithm>
#include <array>
#include <span>

namespace warpwise::watch {
namespace {

/// The latest result of two operands.
template <class Pointer, class Result>
struct Made {
  Pointer a, b;
  Result result;

  /// @param latest where it is looked up. @param make makes it.
  template <std::size_t count, class Make>
  static const Result& of(const Pointer& a, const Pointer& b, std::array<Made, count>& latest,
                          Make make) {
    constexpr std::uintptr_t least_bytes = 16;  // of an allocation
    const auto hash = reinterpret_cast<std::uintptr_t>(a.get()) / least_bytes * 3 +
                      reinterpret_cast<std::uintptr_t>(b.get()) / least_bytes;
    Made& found = latest[(hash ^ hash >> 10) % count];
    if (found.a != a || found.b != b) found = {a, b, make()};
    return found.result;
  }
};

}  // namespace

std::uint32_t VectorClock::clock_of(const Piece& piece, std::uint64_t who) {
  auto found =
      std::lower_bound(piece.entries.begin(), piece.entries.end(), who,
                       [](const Entry& entry, std::uint64_t wanted) { return entry.who < wanted; });
  return found != piece.entries.end() && found->who == who ? found->clock : 0;
}

/// Null where nothing is known of any of the warps about which the piece would be.
const VectorClock::Piece* VectorClock::find_piece(std::uint64_t warp) const {
  const std::uint64_t number = warp / warps_per_piece;
  auto found = std::lower_bound(
      pieces_.begin(), pieces_.end(), number,
      [](const PiecePtr& piece, std::uint64_t wanted) { return piece->number < wanted; });
  return found != pieces_.end() && (*found)->number == number ? found->get() : nullptr;
}

bool VectorClock::covers(std::uint64_t warp, unsigned lane, std::uint32_t clock) const {
  const Piece* piece = find_piece(warp);
  if (!piece) return clock == 0;
  return clock_of(*piece, key(warp, every_lane)) >= clock ||
         clock_of(*piece, key(warp, lane)) >= clock;
}

bool VectorClock::covers(const Piece& piece, const Entry& entry) {
  const std::uint64_t all_lanes = entry.who - entry.who % (every_lane + 1);
  return clock_of(piece, all_lanes) >= entry.clock || clock_of(piece, entry.who) >= entry.clock;
}

bool VectorClock::covers(const Piece& piece, const Piece& other) {
  auto mine = piece.entries.begin();
  std::uint64_t warp = ~0ull;  // of the last entry of mine for all lanes
  std::uint32_t all = 0;       // and its clock
  return std::all_of(other.entries.begin(), other.entries.end(), [&](const Entry& entry) {
    for (; mine != piece.entries.end() && mine->who <= entry.who; ++mine)
      if (mine->who % (every_lane + 1) == 0) {
        warp = mine->who;
        all = mine->clock;
      } else if (mine->who == entry.who && mine->clock >= entry.clock) {
        return true;
      }
    return warp == entry.who - entry.who % (every_lane + 1) && all >= entry.clock;
  });
}

bool VectorClock::covers(const VectorClock& other) const {
  auto mine = pieces_.begin();
  return std::all_of(other.pieces_.begin(), other.pieces_.end(), [&](const PiecePtr& piece) {
    while (mine != pieces_.end() && (*mine)->number < piece->number) ++mine;
    if (mine == pieces_.end() || (*mine)->number != piece->number) return false;
    if (*mine == piece) return true;
    // Behind a barrier of the grid blocks know the same pieces, and are asked for the same.
    static thread_local std::array<Made<PiecePtr, bool>, 1024> latest;
    return Made<PiecePtr, bool>::of(*mine, piece, latest, [&] { return covers(**mine, *piece); });
  });
}

std::uint32_t VectorClock::floor_of(std::uint64_t first_warp, unsigned warps) const {
  std::uint32_t least = ~0u;
  for (std::uint64_t warp = first_warp; warp < first_warp + warps && least; ++warp) {
    const Piece* piece = find_piece(warp);
    least = std::min(least, piece ? clock_of(*piece, key(warp, every_lane)) : 0);
  }
  return least;
}

void VectorClock::append(std::uint64_t warp, unsigned lane, std::uint32_t clock) {
  if (clock == 0) return;
  const std::uint64_t number = warp / warps_per_piece;
  if (pieces_.empty() || pieces_.back()->number != number)
    pieces_.push_back(std::make_shared<Piece>(Piece{number, {}}));
  std::vector<Entry>& entries = pieces_.back()->entries;
  if (!entries.empty() && entries.back().who == key(warp, lane))
    entries.back().clock = std::max(entries.back().clock, clock);
  else
    entries.push_back({key(warp, lane), clock});
}

/// @return one of the two, or what is kept until others are joined.
const VectorClock::PiecePtr& VectorClock::join(const PiecePtr& a, const PiecePtr& b) {
  if (a == b) return a;
  // At a barrier of the grid blocks join the same pieces, one block after another.
  static thread_local std::array<Made<PiecePtr, PiecePtr>, 1024> latest;
  return Made<PiecePtr, PiecePtr>::of(a, b, latest, [&] { return join_entries(a, b); });
}

/// @return one of the two where it knows all that the other does.
VectorClock::PiecePtr VectorClock::join_entries(const PiecePtr& a, const PiecePtr& b) {
  if (covers(*a, *b)) return a;
  if (covers(*b, *a)) return b;
  auto joined = std::make_shared<Piece>(Piece{a->number, {}});
  joined->entries.reserve(a->entries.size() + b->entries.size());
  auto i = a->entries.begin(), j = b->entries.begin();
  std::uint64_t warp = ~0ull;  // of the last entry for all lanes
  std::uint32_t all = 0;       // and its clock
  while (i != a->entries.end() || j != b->entries.end()) {
    const bool from_a = j == b->entries.end() || (i != a->entries.end() && i->who <= j->who);
    const bool from_b = i == a->entries.end() || (j != b->entries.end() && j->who <= i->who);
    Entry entry = from_a ? *i : *j;
    if (from_b) entry.clock = std::max(entry.clock, j->clock);
    i += from_a;
    j += from_b;
    if (entry.who % (every_lane + 1) == 0) {
      warp = entry.who / (every_lane + 1);
      all = entry.clock;
    } else if (entry.who / (every_lane + 1) == warp && entry.clock <= all) {
      continue;  // all lanes say as much
    }
    joined->entries.push_back(entry);
  }
  return joined;
}

VectorClock::Shared VectorClock::join(const Shared& a, const Shared& b) {
  if (!b || a == b) return a;
  if (!a) return b;
  // At a barrier of the grid all warps of all blocks join the same two.
  constexpr std::size_t few_pieces = 8;
  if (a->pieces_.size() + b->pieces_.size() <= few_pieces) return join_pieces(a, b);
  static thread_local std::array<Made<Shared, Shared>, 16> latest;
  return Made<Shared, Shared>::of(a, b, latest, [&] { return join_pieces(a, b); });
}

VectorClock::Shared VectorClock::join_pieces(const Shared& a, const Shared& b) {
  const std::span<const PiecePtr> of_a = a->pieces_, of_b = b->pieces_;
  std::shared_ptr<VectorClock> joined;  // made when it is neither of the two
  bool is_a = true, is_b = true;        // so far it is
  std::size_t i = 0, j = 0;
  while (i < of_a.size() || j < of_b.size()) {
    const bool both = i < of_a.size() && j < of_b.size();
    if (both && of_a[i] == of_b[j]) {
      if (joined) joined->pieces_.push_back(of_a[i]);
      ++i, ++j;
      continue;
    }
    const bool from_a = both ? of_a[i]->number <= of_b[j]->number : i < of_a.size();
    const bool from_b = both ? of_b[j]->number <= of_a[i]->number : j < of_b.size();
    const PiecePtr& piece = from_a && from_b ? join(of_a[i], of_b[j]) : from_a ? of_a[i] : of_b[j];
    const auto before = is_a ? of_a.first(i) : of_b.first(j);
    is_a &= from_a && piece == of_a[i];
    is_b &= from_b && piece == of_b[j];
    if (!is_a && !is_b && !joined) {
      joined = std::make_shared<VectorClock>();
      joined->pieces_.reserve(of_a.size() + of_b.size());
      joined->pieces_.assign(before.begin(), before.end());
    }
    if (joined) joined->pieces_.push_back(piece);
    i += from_a;
    j += from_b;
  }
  return is_a ? a : is_b ? b : joined;
}

const VectorClock::Shared& Forgetting::rest(const VectorClock::Shared& known) {
  if (!known) return known;
  constexpr std::uintptr_t least_bytes = 32;  // of an allocation
  Latest& latest =
      latest_[reinterpret_cast<std::uintptr_t>(known.get()) / least_bytes % latest_.size()];
  if (latest.of != known.get()) latest = {known.get(), &find_rest(known)};
  return *latest.left;
}

const VectorClock::Shared& Forgetting::find_rest(const VectorClock::Shared& known) {
  Rest<const VectorClock>& rest = rests_[known.get()];
  if (rest.of) return rest.left;
  std::shared_ptr<VectorClock> left;
  auto past = past_.pieces_.begin();
  for (const VectorClock::PiecePtr& piece : known->pieces_) {
    while (past != past_.pieces_.end() && (*past)->number < piece->number) ++past;
    const bool any = past != past_.pieces_.end() && (*past)->number == piece->number;
    if (any && *past == piece) continue;  // as nearly all are after a barrier of the grid
    const VectorClock::PiecePtr& rest = any ? this->rest(piece, *past) : piece;
    if (!rest) continue;
    if (!left) left = std::make_shared<VectorClock>();
    left->pieces_.push_back(rest);
  }
  rest.of = known;
  rest.left = std::move(left);
  return rest.left;
}

const VectorClock::PiecePtr& Forgetting::rest(const VectorClock::PiecePtr& piece,
                                              const VectorClock::PiecePtr& past) {
  Rest<VectorClock::Piece>& rest = rests_of_pieces_[piece.get()];
  if (rest.of) return rest.left;
  rest.of = piece;
  if (VectorClock::covers(*past, *piece)) return rest.left;
  rest.left = std::make_shared<VectorClock::Piece>(VectorClock::Piece{piece->number, {}});
  for (const VectorClock::Entry& entry : piece->entries)
    if (!VectorClock::covers(*past, entry)) rest.left->entries.push_back(entry);
  return rest.left;
}

}  // namespace warpwise::watch
