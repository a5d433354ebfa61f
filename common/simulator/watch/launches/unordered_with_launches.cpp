#include "simulator/watch/launches/unordered_with_launches.h"

#include <algorithm>
#include <bit>

#include "simulator/watch/cells/for_lanes.h"

namespace warpwise::watch {

void UnorderedWithLaunches::access(const HappensBefore& order, unsigned warp,
                                   const AccessEvent& event, const StoredValues& values,
                                   bool are_known) {
  if (are_too_many_) return;
  const unsigned cell_bytes = 1u << shift_;
  visit_pieces(
      order.block(), warp, event, event.mask, values, are_known, shift_,
      [&](LineAccess::Kind kind, Footprint::Piece piece, std::uint32_t lanes,
          const std::uint16_t* hashes) {
        if (hashes) {
          piece.first_hash = static_cast<std::uint32_t>(hashes_.size());
          hashes_.insert(hashes_.end(), hashes, hashes + (piece.end - piece.begin) / cell_bytes);
        }
        kept_.push_back(
            {kind, piece, order.in_grid(warp), order.clock(warp), lanes, lanes, event.bytes});
      });
  if (kept_.size() <= most_kept) return;
  are_too_many_ = true;
  launches_.clear();
  kept_ = {};
  hashes_ = {};
}

bool UnorderedWithLaunches::may_look(std::size_t accesses) {
  looks_ += accesses;
  return looks_ <= most_looks;
}

/// Lanes whose access does not come before the launch.
std::uint32_t UnorderedWithLaunches::unordered(const Kept& kept, const HappensBefore& order,
                                               unsigned warp, unsigned lane) const {
  std::uint32_t result = 0;
  for_lanes(kept.not_past, [&](unsigned other) {
    if (kept.warp == order.in_grid(warp) && other == lane) return;
    if (order.unordered_in_grid(warp, 1u << lane, kept.warp, other, kept.clock) != 0)
      result |= 1u << other;
  });
  return result;
}

std::shared_ptr<Footprint> UnorderedWithLaunches::launches(const HappensBefore& order,
                                                           unsigned warp, unsigned lane) {
  if (are_too_many_ || !may_look(kept_.size())) return nullptr;
  Launch launch;
  launch.behind = kept_.size();
  launch.footprint = std::make_shared<Footprint>(1u << shift_);
  // A thread that looks at the same by atomics may know from there that others have been.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> own;
  for (const Kept& kept : kept_)
    if (kept.kind == LineAccess::strong && kept.piece.block == order.block())
      own.emplace_back(kept.piece.begin, kept.piece.end);
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  const auto is_own = [&](const Footprint::Piece& piece) {
    return std::any_of(own.begin(), own.end(), [&](const auto& range) {
      return range.first < piece.end && piece.begin < range.second;
    });
  };
  for (std::uint32_t index = 0; index < kept_.size(); ++index) {
    const Kept& kept = kept_[index];
    const std::uint32_t lanes = unordered(kept, order, warp, lane);
    if (lanes == 0 || (kept.kind == LineAccess::strong && is_own(kept.piece))) continue;
    launch.in_front.push_back({index, lanes});
  }
  launches_.push_back(std::move(launch));
  return launches_.back().footprint;
}

void UnorderedWithLaunches::forget(const VectorClock& past) {
  for (Kept& kept : kept_)
    for_lanes(kept.not_past, [&](unsigned lane) {
      if (past.covers(kept.warp, lane, kept.clock)) kept.not_past &= ~(1u << lane);
    });
}

/// Adds what some of its lanes touched, as far as it is known which touched what.
void UnorderedWithLaunches::add(const Kept& kept, std::uint32_t lanes, Footprint& to) const {
  const unsigned cell_bytes = 1u << shift_;
  const std::uint64_t bytes = kept.piece.end - kept.piece.begin;
  const auto add_piece = [&](Footprint::Piece piece) {
    const std::uint16_t* hashes = nullptr;
    if (piece.first_hash != Footprint::Piece::none)
      hashes = &hashes_[piece.first_hash + (piece.begin - kept.piece.begin) / cell_bytes];
    piece.first_hash = Footprint::Piece::none;
    to.add(kept.kind, piece, hashes);
  };
  Footprint::Piece piece = kept.piece;
  const auto thread = [&](unsigned lane) {
    return static_cast<std::uint16_t>(kept.piece.first_thread / 32 * 32 + lane);
  };
  if (lanes == kept.lanes) return add_piece(piece);
  if (bytes == kept.bytes) {
    piece.first_thread = piece.last_thread = thread(std::countr_zero(lanes));
    return add_piece(piece);
  }
  if (bytes != std::uint64_t{kept.bytes} * std::popcount(kept.lanes)) return;
  for_lanes(kept.lanes, [&](unsigned lane) {
    piece.end = piece.begin + kept.bytes;
    piece.first_thread = piece.last_thread = thread(lane);
    if (lanes >> lane & 1) add_piece(piece);
    piece.begin = piece.end;
  });
}

void UnorderedWithLaunches::finish(const std::vector<unsigned>& lines) {
  for (const Launch& launch : launches_) {
    if (!may_look(kept_.size() - launch.behind)) break;
    for (const InFront& in_front : launch.in_front)
      add(kept_[in_front.index], in_front.lanes, *launch.footprint);
    for (std::size_t i = launch.behind; i < kept_.size(); ++i)
      add(kept_[i], kept_[i].lanes, *launch.footprint);
    launch.footprint->complete(lines);
  }
}

}  // namespace warpwise::watch
