#include "simulator/watch/knowledge.h"

#include <algorithm>
#include <array>
#include <span>

namespace warpwise::watch {

std::uint32_t Knowledge::clock_of(const Piece& piece, std::uint64_t who) {
  auto found =
      std::lower_bound(piece.entries.begin(), piece.entries.end(), who,
                       [](const Entry& entry, std::uint64_t wanted) { return entry.who < wanted; });
  return found != piece.entries.end() && found->who == who ? found->clock : 0;
}

bool Knowledge::covers(std::uint64_t warp, unsigned lane, std::uint32_t clock) const {
  const std::uint64_t number = warp / warps_per_piece;
  auto found = std::lower_bound(
      pieces_.begin(), pieces_.end(), number,
      [](const PiecePtr& piece, std::uint64_t wanted) { return piece->number < wanted; });
  if (found == pieces_.end() || (*found)->number != number) return clock == 0;
  return clock_of(**found, key(warp, every_lane)) >= clock ||
         clock_of(**found, key(warp, lane)) >= clock;
}

void Knowledge::append(std::uint64_t warp, unsigned lane, std::uint32_t clock) {
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

/// @return one of the two where it knows all that the other does.
Knowledge::PiecePtr Knowledge::join(const PiecePtr& a, const PiecePtr& b) {
  if (a == b) return a;
  auto joined = std::make_shared<Piece>(Piece{a->number, {}});
  joined->entries.reserve(a->entries.size() + b->entries.size());
  auto i = a->entries.begin(), j = b->entries.begin();
  std::uint64_t warp = ~0ull;     // of the last entry for all lanes
  std::uint32_t all = 0;          // and its clock
  bool is_a = true, is_b = true;  // nothing was added to it
  while (i != a->entries.end() || j != b->entries.end()) {
    const bool from_a = j == b->entries.end() || (i != a->entries.end() && i->who <= j->who);
    const bool from_b = i == a->entries.end() || (j != b->entries.end() && j->who <= i->who);
    Entry entry = from_a ? *i : *j;
    if (from_b) entry.clock = std::max(entry.clock, j->clock);
    const bool as_in_a = from_a && entry.clock == i->clock;
    const bool as_in_b = from_b && entry.clock == j->clock;
    i += from_a;
    j += from_b;
    if (entry.who % (every_lane + 1) == 0) {
      warp = entry.who / (every_lane + 1);
      all = entry.clock;
    } else if (entry.who / (every_lane + 1) == warp && entry.clock <= all) {
      continue;  // all lanes say as much
    }
    is_a &= as_in_a;
    is_b &= as_in_b;
    joined->entries.push_back(entry);
  }
  return is_a ? a : is_b ? b : joined;
}

Knowledge::Shared Knowledge::join(const Shared& a, const Shared& b) {
  if (!b || a == b) return a;
  if (!a) return b;
  // At a barrier of the grid all warps of all blocks join the same two.
  struct Done {
    Shared a, b, joined;
  };
  constexpr std::size_t few_pieces = 8;
  if (a->pieces_.size() + b->pieces_.size() <= few_pieces) return join_pieces(a, b);
  static thread_local std::array<Done, 16> latest;
  const auto hash = reinterpret_cast<std::uintptr_t>(a.get()) / sizeof(Knowledge) * 3 +
                    reinterpret_cast<std::uintptr_t>(b.get()) / sizeof(Knowledge);
  Done& done = latest[hash % latest.size()];
  if (done.a != a || done.b != b) done = {a, b, join_pieces(a, b)};
  return done.joined;
}

Knowledge::Shared Knowledge::join_pieces(const Shared& a, const Shared& b) {
  const std::span<const PiecePtr> of_a = a->pieces_, of_b = b->pieces_;
  std::shared_ptr<Knowledge> joined;  // made when it is neither of the two
  bool is_a = true, is_b = true;      // so far it is
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
    PiecePtr piece = from_a && from_b ? join(of_a[i], of_b[j]) : from_a ? of_a[i] : of_b[j];
    const auto before = is_a ? of_a.first(i) : of_b.first(j);
    is_a &= from_a && piece == of_a[i];
    is_b &= from_b && piece == of_b[j];
    if (!is_a && !is_b && !joined) {
      joined = std::make_shared<Knowledge>();
      joined->pieces_.reserve(of_a.size() + of_b.size());
      joined->pieces_.assign(before.begin(), before.end());
    }
    if (joined) joined->pieces_.push_back(std::move(piece));
    i += from_a;
    j += from_b;
  }
  return is_a ? a : is_b ? b : joined;
}

}  // namespace warpwise::watch
