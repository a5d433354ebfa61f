#include "simulator/cudart/memory/pool_space.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace warpwise::cudart {
namespace {

constexpr std::uint64_t no_end = ~std::uint64_t{0};

/// Allocations begin at multiples of this.
std::uint64_t whole_grains(std::uint64_t bytes) {
  constexpr std::uint64_t grain = 512;
  return (bytes + grain - 1) / grain * grain;
}

std::uint64_t whole_pieces(std::uint64_t bytes) {
  constexpr std::uint64_t piece = PoolSpace::piece_bytes;
  return (bytes + piece - 1) / piece * piece;
}

}  // namespace

PoolSpace::Gap PoolSpace::smallest_gap(std::uint64_t bytes, const Usable& usable) const {
  std::uint64_t begin = 0;
  Gap best{0, no_end};
  const auto look = [&](std::uint64_t end) {
    const std::uint64_t room = end - begin;
    if (room >= bytes && room < best.bytes) best = {begin, room};
  };
  // Most pools only grow: without a gap, the search is skipped.
  const std::uint64_t end =
      blocks_.empty() ? 0 : blocks_.rbegin()->first + blocks_.rbegin()->second.bytes;
  if (leaving_ == 0 && used_bytes_ == end) return {end, no_end};
  for (const auto& [place, block] : blocks_) {
    if (block.end != nullptr && usable(block.end, *block.stream)) continue;
    look(place);
    begin = place + block.bytes;
  }
  if (best.bytes == no_end) best.place = begin;
  return best;
}

/// Memory that is given back leaves nothing there.
void PoolSpace::cut(std::uint64_t place, std::uint64_t bytes) {
  auto at = blocks_.upper_bound(place);
  if (at != blocks_.begin()) --at;
  while (at != blocks_.end() && at->first < place + bytes) {
    const std::uint64_t begin = at->first, end = begin + at->second.bytes;
    if (end <= place) {
      ++at;
      continue;
    }
    const Block gone = std::move(at->second);
    at = blocks_.erase(at);
    used_bytes_ -= gone.bytes;
    --leaving_;
    const auto keep = [&](std::uint64_t from, std::uint64_t to) {
      if (from >= to) return;
      at = std::next(blocks_.insert_or_assign(from, Block{to - from, gone.end, gone.stream}).first);
      used_bytes_ += to - from;
      ++leaving_;
    };
    keep(begin, place);
    keep(place + bytes, end);
  }
}

std::optional<std::uint64_t> PoolSpace::take(std::uint64_t bytes, std::uint64_t most,
                                             const Usable& usable) {
  bytes = whole_grains(bytes);
  const std::uint64_t place = smallest_gap(bytes, usable).place;
  const std::uint64_t first = place / piece_bytes, last = (place + bytes - 1) / piece_bytes;
  std::uint64_t missing = 0;
  for (std::uint64_t piece = first; piece <= last; ++piece) missing += !pieces_.contains(piece);
  if (most != 0 && (pieces_.size() + missing) * piece_bytes > whole_pieces(most))
    return std::nullopt;
  cut(place, bytes);
  blocks_[place] = Block{bytes, nullptr, nullptr};
  used_bytes_ += bytes;
  for (std::uint64_t piece = first; piece <= last; ++piece) pieces_.insert(piece);
  return place;
}

void PoolSpace::give(std::uint64_t place) {
  const auto block = blocks_.find(place);
  if (block == blocks_.end()) return;
  used_bytes_ -= block->second.bytes;
  blocks_.erase(block);
}

void PoolSpace::give(std::uint64_t place, OperationPtr end, StreamPtr stream) {
  const auto block = blocks_.find(place);
  if (block == blocks_.end()) return;
  block->second.end = std::move(end);
  block->second.stream = std::move(stream);
  ++leaving_;
}

bool PoolSpace::settle(const std::function<bool(const OperationPtr& end)>& is_known) {
  if (leaving_ == 0) return false;
  const std::uint64_t before = leaving_;
  for (auto at = blocks_.begin(); at != blocks_.end();) {
    if (at->second.end == nullptr || !is_known(at->second.end)) {
      ++at;
      continue;
    }
    used_bytes_ -= at->second.bytes;
    --leaving_;
    at = blocks_.erase(at);
  }
  return leaving_ != before;
}

void PoolSpace::release_while(const std::function<bool()>& wanted) {
  std::set<std::uint64_t> used;
  for (const auto& [place, block] : blocks_)
    for (std::uint64_t at = place / piece_bytes; at <= (place + block.bytes - 1) / piece_bytes;
         ++at)
      used.insert(at);
  const std::vector<std::uint64_t> held(pieces_.begin(), pieces_.end());
  for (const std::uint64_t piece : held)
    if (!used.contains(piece) && wanted()) pieces_.erase(piece);
}

void PoolSpace::release_above(std::uint64_t bytes) {
  if (reserved_bytes() <= bytes) return;
  release_while([&] { return reserved_bytes() > bytes; });
}

void PoolSpace::release_down_to(std::uint64_t bytes) {
  release_while([&] { return reserved_bytes() >= bytes + piece_bytes; });
}

}  // namespace warpwise::cudart
