#include "simulator/watch/first_readers.h"

#include <bit>
#include <utility>

namespace warpwise::watch {

/// Regions that one host thread has found: few, and mostly the same as for the access before.
class FirstReaders::Regions {
 public:
  explicit Regions(FirstReaders& owner) : owner_(owner) {}
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
  FirstReaders& owner_;
};

FirstReaders::Region& FirstReaders::region(std::uint64_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::unique_ptr<Region>& region = regions_[number];
  if (!region) region = std::make_unique<Region>();
  return *region;
}

FirstReaders::Tile& FirstReaders::started(std::atomic<Tile*>& place) {
  Tile* there = place.load(std::memory_order_acquire);
  if (there) return *there;
  auto made = std::make_unique<Tile>();
  if (place.compare_exchange_strong(there, made.get())) return *made.release();
  return *there;
}

const FirstReaders::Tile* FirstReaders::find(std::uint64_t tile) const {
  auto found = regions_.find(tile / tiles_per_region);
  return found == regions_.end() ? nullptr : found->second->tiles[tile % tiles_per_region].load();
}

void FirstReaders::add(std::uint64_t block, const ReadLog& log) {
  if (log.empty()) return;
  Regions regions(*this);
  Tile* tile = nullptr;
  std::uint64_t number = ~0ull;  // of the tile
  log.for_all([&](const ReadLog::Read& read, const AccessEvent& event) {
    // All places are asked for before the first is looked at: they may lie anywhere.
    struct Place {
      Tile* tile;
      unsigned cell, lane;
    } places[32];
    unsigned count = 0;
    const unsigned each = event.bytes / 4;
    const std::uint32_t first_cells = ~0u >> (32 - each);
    std::uint64_t before = ~0ull;
    for (std::uint32_t left = event.mask; left; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      const std::uint64_t first = event.addresses[lane] / 4;
      if (first == before) continue;
      before = first;
      if (first / cells_per_tile != number) {
        number = first / cells_per_tile;
        tile = &started(regions.at(number / tiles_per_region).tiles[number % tiles_per_region]);
      }
      const auto cell = static_cast<unsigned>(first % cells_per_tile);
      const std::uint32_t cells = first_cells << cell % cells_per_line;
      if (tile->is_settled(cell / cells_per_line, cells, block)) continue;
      __builtin_prefetch(&tile->lowest[cell], 1);
      places[count++] = {tile, cell, lane};
    }
    const Word first = word(block, read.site, read.warp * 32u);
    for (unsigned i = 0; i < count; ++i)
      for (unsigned cell = 0; cell < each; ++cell)
        add(*places[i].tile, places[i].cell + cell, first - places[i].lane);
  });
}

/// @param there in,out: what the place held when it was last read.
template <class T>
bool FirstReaders::replace(std::atomic<T>& place, T& there, T value) const {
  if (by_several_) return place.compare_exchange_weak(there, value, std::memory_order_relaxed);
  place.store(value, std::memory_order_relaxed);
  return true;
}

template <class T>
void FirstReaders::raise(std::atomic<T>& place, T value) const {
  T there = place.load(std::memory_order_relaxed);
  while (there < value && !replace(place, there, value)) {
  }
}

inline void FirstReaders::add(Tile& tile, unsigned cell, Word word) const {
  std::atomic<Word>& lowest = tile.lowest[cell];
  Word there = lowest.load(std::memory_order_relaxed);
  if (there >= word && is_same_block(there, word)) return;
  raise(tile.highest, static_cast<std::uint32_t>(~word >> 32));
  while (there < word) {
    if (!replace(lowest, there, word)) continue;
    std::swap(there, word);
    break;
  }
  // One of the two is the lowest now. The other is the second, unless it is of the same block.
  if (word == 0 || is_same_block(there, word)) return;
  raise(second_of(tile)[cell], word);
  // Whoever sees this sees the highest block, too.
  std::atomic<std::uint32_t>& settled = tile.settled[cell / cells_per_line];
  const std::uint32_t is_settled = 1u << cell % cells_per_line;
  if (by_several_)
    settled.fetch_or(is_settled, std::memory_order_release);
  else
    settled.store(settled.load(std::memory_order_relaxed) | is_settled, std::memory_order_relaxed);
}

std::atomic<FirstReaders::Word>* FirstReaders::second_of(Tile& tile) {
  std::atomic<Word>* there = tile.second.load(std::memory_order_acquire);
  if (there) return there;
  std::unique_ptr<std::atomic<Word>[]> made(new std::atomic<Word>[cells_per_tile]());
  if (tile.second.compare_exchange_strong(there, made.get())) return made.release();
  return there;
}

std::uint32_t FirstReaders::read_cells(std::uint64_t line) const {
  const Tile* tile = find(line / lines_per_tile);
  if (!tile) return 0;
  const std::atomic<Word>* words = tile->lowest + line % lines_per_tile * cells_per_line;
  std::uint32_t cells = 0;
  for (unsigned cell = 0; cell < cells_per_line; ++cell)
    cells |= static_cast<std::uint32_t>(words[cell].load(std::memory_order_relaxed) != 0) << cell;
  return cells;
}

std::vector<FirstReaders::Reader> FirstReaders::readers(std::uint64_t line, unsigned cell) const {
  std::vector<Reader> readers;
  const Tile* tile = find(line / lines_per_tile);
  if (!tile) return readers;
  const std::uint64_t at = line % lines_per_tile * cells_per_line + cell;
  const std::atomic<Word>* second = tile->second.load();
  for (Word word : {tile->lowest[at].load(), second ? second[at].load() : 0})
    if (word) readers.push_back(reader(word));
  return readers;
}

}  // namespace warpwise::watch
