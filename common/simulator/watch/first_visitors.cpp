#include "simulator/watch/first_visitors.h"

#include <bit>
#include <utility>

namespace warpwise::watch {

/// Regions that one host thread has found: few, and mostly the same as for the access before.
class FirstVisitors::Regions {
 public:
  explicit Regions(FirstVisitors& owner) : owner_(owner) {}
  Region& at(std::uint64_t number) {
    Found& found = found_[number % places];
    if (!found.region || found.number != number) found = {number, &owner_.region(number)};
    return *found.region;
  }

 private:
  static constexpr std::uint64_t places = 64;
  struct Found {
    std::uint64_t number = 0;
    Region* region = nullptr;
  } found_[places];
  FirstVisitors& owner_;
};

FirstVisitors::Region& FirstVisitors::region(std::uint64_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Region*& region = regions_[number];
  if (!region) region = memory_.make<Region>();
  return *region;
}

/// What the place points to: new where there is nothing yet.
template <class T>
T* FirstVisitors::started(std::atomic<T*>& place, std::size_t count) {
  T* there = place.load(std::memory_order_acquire);
  if (there) return there;
  // Where another host thread comes first at the same time, this is left unused.
  T* const made = memory_.make<T>(count);
  return place.compare_exchange_strong(there, made) ? made : there;
}

const FirstVisitors::Tile* FirstVisitors::find(std::uint64_t tile) const {
  auto found = regions_.find(tile / tiles_per_region);
  return found == regions_.end() ? nullptr : found->second->tiles[tile % tiles_per_region].load();
}

void FirstVisitors::add(std::uint64_t block, const AccessLog& log) {
  if (log.empty()) return;
  Regions regions(*this);
  Tile* tile = nullptr;
  std::uint64_t number = ~0ull;  // of the tile
  const bool has_values = log.kind() == Contact::write;
  // What a block reads in any order is told in one; of atomics the first is.
  const bool keeps_first = log.kind() != Contact::read;
  log.for_all(
      [&](const AccessLog::Noted& noted, const AccessEvent& event, const StoredValues& stored) {
        // All places are asked for before the first is looked at: they may lie anywhere.
        struct Place {
          Tile* tile;
          Values* values;
          unsigned cell, lane;
          bool is_settled;
        } places[32];
        unsigned count = 0;
        const unsigned each = event.bytes / 4;
        const std::uint32_t first_cells = ~0u >> (32 - each);
        std::uint64_t before = ~0ull;
        Values* values = nullptr;
        for (std::uint32_t left = event.mask; left; left &= left - 1) {
          const auto lane = static_cast<unsigned>(std::countr_zero(left));
          const std::uint64_t first = event.addresses[lane] / 4;
          if (first == before) continue;
          before = first;
          if (first / cells_per_tile != number) {
            number = first / cells_per_tile;
            tile = started(regions.at(number / tiles_per_region).tiles[number % tiles_per_region]);
          }
          const auto cell = static_cast<unsigned>(first % cells_per_tile);
          const std::uint32_t cells = first_cells << cell % cells_per_line;
          const bool is_settled = tile->is_settled(cell / cells_per_line, cells, block);
          if (has_values)
            __builtin_prefetch(&(values = started(tile->values))->of[cell], 1);
          else if (is_settled)
            continue;
          __builtin_prefetch(&tile->lowest[cell], 1);
          places[count++] = {tile, values, cell, lane, is_settled};
        }
        const Word first = word(block, noted.site, noted.warp * 32u);
        for (unsigned i = 0; i < count; ++i) {
          const Place& place = places[i];
          for (unsigned cell = 0; cell < each && !place.is_settled; ++cell)
            add(*place.tile, place.cell + cell, first - place.lane, keeps_first);
          for (unsigned cell = 0; cell < each && place.values; ++cell)
            compare(*place.values, place.cell + cell, short_hash(stored.words(cell)[place.lane]));
        }
      });
}

/// @param there in,out: what the place held when it was last looked at.
template <class T>
bool FirstVisitors::replace(std::atomic<T>& place, T& there, T value) const {
  if (by_several_) return place.compare_exchange_weak(there, value, std::memory_order_relaxed);
  place.store(value, std::memory_order_relaxed);
  return true;
}

template <class T>
void FirstVisitors::raise(std::atomic<T>& place, T value) const {
  T there = place.load(std::memory_order_relaxed);
  while (there < value && !replace(place, there, value)) {
  }
}

/// @param keeps_first of a block's visits the one that came first, not the one of the lowest
/// thread.
inline void FirstVisitors::add(Tile& tile, unsigned cell, Word word, bool keeps_first) {
  std::atomic<Word>& lowest = tile.lowest[cell];
  Word there = lowest.load(std::memory_order_relaxed);
  if ((there >= word || keeps_first) && is_same_block(there, word)) return;
  raise(tile.highest, static_cast<std::uint32_t>(~word >> 32));
  while (there < word) {
    if (!replace(lowest, there, word)) continue;
    std::swap(there, word);
    break;
  }
  // One of the two is the lowest now. The other is the second, unless it is of the same block.
  if (word == 0 || is_same_block(there, word)) return;
  std::atomic<Word>& second = started(tile.second, cells_per_tile)[cell];
  if (keeps_first && is_same_block(second.load(std::memory_order_relaxed), word)) return;
  raise(second, word);
  // Whoever sees this sees the highest block, too.
  std::atomic<std::uint32_t>& settled = tile.settled[cell / cells_per_line];
  const std::uint32_t is_settled = 1u << cell % cells_per_line;
  if (by_several_)
    settled.fetch_or(is_settled, std::memory_order_release);
  else
    settled.store(settled.load(std::memory_order_relaxed) | is_settled, std::memory_order_relaxed);
}

/// @param hash of what a block has stored to the cell.
inline void FirstVisitors::compare(Values& values, unsigned cell, std::uint16_t hash) const {
  std::atomic<std::uint16_t>& first = values.of[cell];
  std::uint16_t there = first.load(std::memory_order_relaxed);
  while (there == 0 && !replace(first, there, hash)) {
  }
  if (there == 0 || there == hash) return;
  values.differing[cell / cells_per_line].fetch_or(1u << cell % cells_per_line,
                                                   std::memory_order_relaxed);
}

std::uint32_t FirstVisitors::cells(std::uint64_t line) const {
  const Tile* tile = find(line / lines_per_tile);
  if (!tile) return 0;
  const std::atomic<Word>* words = tile->lowest + line % lines_per_tile * cells_per_line;
  std::uint32_t cells = 0;
  for (unsigned cell = 0; cell < cells_per_line; ++cell)
    cells |= static_cast<std::uint32_t>(words[cell].load(std::memory_order_relaxed) != 0) << cell;
  return cells;
}

std::uint32_t FirstVisitors::differing(std::uint64_t line) const {
  const Tile* tile = find(line / lines_per_tile);
  const Values* values = tile ? tile->values.load() : nullptr;
  return values ? values->differing[line % lines_per_tile].load() : 0;
}

std::uint16_t FirstVisitors::value(std::uint64_t line, unsigned cell) const {
  const Tile& tile = *find(line / lines_per_tile);
  return tile.values.load()->of[line % lines_per_tile * cells_per_line + cell].load();
}

std::vector<FirstVisitors::Visitor> FirstVisitors::visitors(std::uint64_t line,
                                                            unsigned cell) const {
  std::vector<Visitor> visitors;
  const Tile* tile = find(line / lines_per_tile);
  if (!tile) return visitors;
  const std::uint64_t at = line % lines_per_tile * cells_per_line + cell;
  const std::atomic<Word>* second = tile->second.load();
  for (Word word : {tile->lowest[at].load(), second ? second[at].load() : 0})
    if (word) visitors.push_back(visitor(word));
  return visitors;
}

}  // namespace warpwise::watch
