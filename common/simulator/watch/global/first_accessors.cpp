#include "simulator/watch/global/first_accessors.h"

#include <algorithm>
#include <bit>
#include <thread>
#include <utility>

#include "simulator/isa/fast_loops.h"
#include "simulator/memory/prefetch.h"

namespace warpwise::watch {
namespace {

/// Called by the host thread that may change it.
void raise(std::atomic<std::uint32_t>& highest, std::uint32_t value) {
  if (highest.load(std::memory_order_relaxed) < value)
    highest.store(value, std::memory_order_relaxed);
}

/// The words of neighbouring lanes, of which each has 1 << shift.
WARPWISE_FAST_LOOPS void write_row(std::uint64_t* words, unsigned count, std::uint64_t first,
                                   unsigned shift) {
  for (unsigned i = 0; i < count; ++i) words[i] = first - (i >> shift);
}

/// True where the words tell no less than such ones: they are of the same block, and no lower, or
/// of any height.
WARPWISE_FAST_LOOPS bool says_row(const std::uint64_t* words, unsigned count, std::uint64_t first,
                                  unsigned shift, bool any_height) {
  std::uint64_t less = 0;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t word = first - (i >> shift);
    less |= (words[i] ^ word) >> 32 | static_cast<std::uint64_t>(!any_height & (words[i] < word));
  }
  return less == 0;
}

}  // namespace

/// Regions that one host thread has found: few, and mostly the same as for the access before.
class FirstAccessors::Regions {
 public:
  explicit Regions(FirstAccessors& owner) : owner_(owner) {}
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
  FirstAccessors& owner_;
};

FirstAccessors::Region& FirstAccessors::region(std::uint64_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Region*& region = regions_[number];
  if (!region) region = memory_.make<Region>();
  return *region;
}

/// Returns what the place points to: new where there is nothing yet.
template <class T>
T* FirstAccessors::started(std::atomic<T*>& place) {
  T* there = place.load(std::memory_order_acquire);
  if (there) return there;
  // Where another host thread comes first at the same time, this is left unused.
  T* const made = memory_.make<T>();
  return place.compare_exchange_strong(there, made) ? made : there;
}

/// Holds one tile after another, where several host threads may want it.
class FirstAccessors::Held {
 public:
  explicit Held(bool by_several) : by_several_(by_several) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { hold(nullptr); }
  void hold(Tile* tile) {
    if (!by_several_ || tile == tile_) return;
    if (tile_) tile_->is_held.store(false, std::memory_order_release);
    tile_ = tile;
    while (tile && tile->is_held.exchange(true, std::memory_order_acquire))
      std::this_thread::yield();
  }

 private:
  const bool by_several_;
  Tile* tile_ = nullptr;
};

const FirstAccessors::Tile* FirstAccessors::find(std::uint64_t tile) const {
  auto found = regions_.find(tile / tiles_per_region);
  return found == regions_.end() ? nullptr : found->second->tiles[tile % tiles_per_region].load();
}

[[gnu::always_inline]] inline void FirstAccessors::add(Tile& tile, unsigned cell, Word word,
                                                       bool keeps_first) {
  Word& lowest = tile.lowest[cell];
  if ((lowest >= word || keeps_first) && is_same_block(lowest, word)) return;
  raise(tile.highest, static_cast<std::uint32_t>(~word >> 32));
  if (lowest < word) std::swap(lowest, word);
  // The other is the second, unless there is none, or it is of the same block.
  Line& line = tile.lines[cell / cells_per_line];
  const std::uint32_t in_line = 1u << cell % cells_per_line;
  if (word == 0) {
    line.touched |= in_line;
    return;
  }
  if (is_same_block(lowest, word)) return;
  if (!tile.second) tile.second = memory_.make<Word>(cells_per_tile);
  Word& second = tile.second[cell];
  if (keeps_first && is_same_block(second, word)) return;
  second = std::max(second, word);
  // A reader that sees this also sees the highest block.
  line.settled.store(line.settled.load(std::memory_order_relaxed) | in_line,
                     std::memory_order_release);
}

/// @param first word of the first cell. @param each_shift log2 of the cells of a lane.
/// @param keeps_first of a block's accesses the one that came first, not the one of the lowest
/// thread.
void FirstAccessors::add_row(const Place& place, Word first, unsigned each_shift,
                             bool keeps_first) {
  Tile& tile = *place.tile;
  Word* const lowest = tile.lowest + place.cell;
  const std::uint32_t cells = place.cells();
  std::uint32_t& touched = tile.lines[place.line()].touched;
  const std::uint32_t known = touched & cells;
  if (known == 0) {
    touched |= cells;
    raise(tile.highest, static_cast<std::uint32_t>(~first >> 32));
    return write_row(lowest, place.count, first, each_shift);
  }
  if (known == cells && says_row(lowest, place.count, first, each_shift, keeps_first)) return;
  for (unsigned cell = 0; cell < place.count; ++cell)
    add(tile, place.cell + cell, first - (cell >> each_shift), keeps_first);
}

/// To be called before the place is added.
/// @param hash of what a block has stored, by cell from the first on.
template <class Hash>
inline void FirstAccessors::compare(const Place& place, Hash hash) {
  std::uint16_t* const first = place.values->of + place.cell;
  const std::uint32_t known =
      place.tile->lines[place.line()].touched >> place.cell % cells_per_line;
  for (unsigned cell = 0; cell < place.count; ++cell) {
    const std::uint16_t stored = hash(cell);
    if (!(known >> cell & 1))
      first[cell] = stored;
    else if (first[cell] != stored)
      place.values->differing[place.line()] |= 1u << (place.cell % cells_per_line + cell);
  }
}

void FirstAccessors::add(std::uint64_t block, const NotedAccesses& noted) {
  if (noted.empty()) return;
  Regions regions(*this);
  Held held(by_several_);
  Tile* tile = nullptr;
  std::uint64_t number = ~0ull;  // of the tile
  const bool has_values = noted.kind() == LineAccess::write;
  // All that a block reads, in any order, is passed on in one; among atomics only the first is.
  const bool keeps_first = noted.kind() != LineAccess::read;
  noted.for_all([&](const AccessLog::Made& made, const AccessEvent& event,
                    const StoredValues& stored) {
    // All places are asked for before the first is looked at: they may be anywhere.
    Place places[most_lane_runs];
    unsigned count = 0;
    std::uint64_t before = ~0ull;  // first cell of the run before, and how many it had
    unsigned count_before = 0;
    for_lane_runs(
        event, 2, [&](const LaneRun& run) __attribute__((always_inline)) {
          const std::uint64_t first = run.line * cells_per_line + run.cell;
          if (first == before && run.count <= count_before) return;
          before = first;
          count_before = run.count;
          if (run.line / lines_per_tile != number) {
            number = run.line / lines_per_tile;
            tile = started(regions.at(number / tiles_per_region).tiles[number % tiles_per_region]);
          }
          const auto cell = static_cast<std::uint16_t>(first % cells_per_tile);
          const bool is_settled = tile->is_settled(cell / cells_per_line, run.cells(), block);
          if (is_settled && !has_values) return;
          Values* const values = has_values ? started(tile->values) : nullptr;
          if (has_values) memory::prefetch_for_update(&values->of[cell]);
          memory::prefetch_for_update(&tile->lowest[cell]);
          places[count++] = {tile,
                             values,
                             cell,
                             static_cast<std::uint8_t>(run.count),
                             static_cast<std::uint8_t>(run.lane),
                             is_settled};
        });
    const unsigned each = event.bytes / 4;
    const auto each_shift = static_cast<unsigned>(std::countr_zero(each));
    const Word first = word(block, event.site, made.warp * 32u);
    for (unsigned i = 0; i < count; ++i) {
      const Place& place = places[i];
      held.hold(place.tile);
      if (has_values)
        compare(place, [&](unsigned cell) {
          return stored.hash(stored.words(cell & (each - 1))[place.lane + (cell >> each_shift)]);
        });
      if (place.is_settled) continue;
      if (place.count == 1)
        add(*place.tile, place.cell, first - place.lane, keeps_first);
      else
        add_row(place, first - place.lane, each_shift, keeps_first);
    }
  });
}

std::uint32_t FirstAccessors::cells(std::uint64_t line) const {
  const Tile* tile = find(line / lines_per_tile);
  return tile ? tile->lines[line % lines_per_tile].touched : 0;
}

std::uint32_t FirstAccessors::differing(std::uint64_t line) const {
  const Tile* tile = find(line / lines_per_tile);
  const Values* values = tile ? tile->values.load() : nullptr;
  return values ? values->differing[line % lines_per_tile] : 0;
}

std::uint16_t FirstAccessors::value(std::uint64_t line, unsigned cell) const {
  const Tile& tile = *find(line / lines_per_tile);
  return tile.values.load()->of[line % lines_per_tile * cells_per_line + cell];
}

std::vector<FirstAccessors::BlockAccess> FirstAccessors::accesses(std::uint64_t line,
                                                                  unsigned cell) const {
  std::vector<BlockAccess> accesses;
  const Tile* tile = find(line / lines_per_tile);
  if (!tile) return accesses;
  const std::uint64_t at = line % lines_per_tile * cells_per_line + cell;
  for (Word word : {tile->lowest[at], tile->second ? tile->second[at] : 0})
    if (word) accesses.push_back(access(word));
  return accesses;
}

}  // namespace warpwise::watch
