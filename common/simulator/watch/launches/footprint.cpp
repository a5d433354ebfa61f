#include "simulator/watch/launches/footprint.h"

#include <algorithm>

namespace warpwise::watch {
namespace {

bool begins_before(const Footprint::Piece& a, const Footprint::Piece& b) {
  return a.begin < b.begin;
}

}  // namespace

void Footprint::add(LineAccess::Kind kind, Piece piece, const std::uint16_t* hashes) {
  if (is_too_large_) return;
  if (pieces_[0].size() + pieces_[1].size() + pieces_[2].size() == most_pieces) {
    *this = Footprint(cell_bytes_);
    is_too_large_ = true;
    return;
  }
  if (hashes && cell_bytes_) {
    piece.first_hash = static_cast<std::uint32_t>(hashes_.size());
    hashes_.insert(hashes_.end(), hashes, hashes + (piece.end - piece.begin) / cell_bytes_);
  }
  longest_[kind] = std::max(longest_[kind], piece.end - piece.begin);
  pieces_[kind].push_back(piece);
}

void Footprint::complete(std::vector<unsigned> lines) {
  for (std::vector<Piece>& pieces : pieces_)
    if (!std::is_sorted(pieces.begin(), pieces.end(), begins_before))
      std::stable_sort(pieces.begin(), pieces.end(), begins_before);
  lines_ = std::move(lines);
}

std::uint32_t Footprint::Overlap::thread() const {
  const std::uint64_t bytes = mine.end - mine.begin;
  const int threads = mine.last_thread - mine.first_thread;
  if (threads == 0) return mine.first_thread;
  const std::uint64_t each = std::max<std::uint64_t>(1, bytes / (std::abs(threads) + 1u));
  const auto further = static_cast<int>((address - mine.begin) / each);
  return static_cast<std::uint32_t>(mine.first_thread + (threads < 0 ? -further : further));
}

/// True where both stored the same values to all that they have in common.
bool Footprint::stored_same(const Piece& mine, const Footprint& theirs,
                            const Piece& their_piece) const {
  if (mine.first_hash == Piece::none || their_piece.first_hash == Piece::none ||
      cell_bytes_ != theirs.cell_bytes_)
    return false;
  const std::uint64_t begin = std::max(mine.begin, their_piece.begin);
  const std::uint64_t end = std::min(mine.end, their_piece.end);
  const std::uint16_t* a = &hashes_[mine.first_hash + (begin - mine.begin) / cell_bytes_];
  const std::uint16_t* b =
      &theirs.hashes_[their_piece.first_hash + (begin - their_piece.begin) / cell_bytes_];
  return std::equal(a, a + (end - begin) / cell_bytes_, b);
}

/// Atomics of two devices on the same memory, of which one is not for the whole system, may come
/// between each other.
bool Footprint::are_atomic_together(const Piece& mine, const Footprint& theirs,
                                    const Piece& other) const {
  const auto is_narrow = [](const Footprint& of, const Piece& piece) {
    return piece.site < of.is_of_device_.size() && of.is_of_device_[piece.site];
  };
  return device_ == theirs.device_ || (!is_narrow(*this, mine) && !is_narrow(theirs, other));
}

void Footprint::find(const Footprint& theirs, LineAccess::Kind kind, LineAccess::Kind their_kind,
                     std::vector<Overlap>& found) const {
  const std::vector<Piece>& others = theirs.pieces_[their_kind];
  auto from = others.begin();
  for (const Piece& mine : pieces_[kind]) {
    while (from != others.end() && from->begin + theirs.longest_[their_kind] <= mine.begin) ++from;
    for (auto other = from; other != others.end() && other->begin < mine.end; ++other) {
      if (other->end <= mine.begin || stored_same(mine, theirs, *other)) continue;
      if (kind == LineAccess::strong && their_kind == LineAccess::strong &&
          are_atomic_together(mine, theirs, *other))
        continue;
      const std::uint64_t address = std::max(mine.begin, other->begin);
      const std::uint64_t bytes = std::min(mine.end, other->end) - address;
      const auto same = std::find_if(found.begin(), found.end(), [&](const Overlap& known) {
        return known.mine.site == mine.site && known.theirs.site == other->site;
      });
      if (same != found.end())
        same->bytes += bytes;
      else
        found.push_back({mine, *other, kind, their_kind, address, bytes});
    }
  }
}

std::vector<Footprint::Overlap> Footprint::overlaps(const Footprint& theirs) const {
  std::vector<Overlap> found;
  for (const LineAccess::Kind mine : {LineAccess::write, LineAccess::strong, LineAccess::read})
    for (const LineAccess::Kind other : {LineAccess::write, LineAccess::strong, LineAccess::read})
      if (mine != other || mine == LineAccess::write ||
          (mine == LineAccess::strong && device_ != theirs.device_))
        find(theirs, mine, other, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Overlap& a, const Overlap& b) { return a.address < b.address; });
  return found;
}

const char* verb(LineAccess::Kind kind) {
  return kind == LineAccess::read ? "reads" : kind == LineAccess::write ? "writes" : "updates";
}

}  // namespace warpwise::watch
