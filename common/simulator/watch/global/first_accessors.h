#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "simulator/watch/cells/lane_runs.h"
#include "simulator/watch/cells/noted_accesses.h"
#include "simulator/watch/cells/tile_cells.h"
#include "simulator/watch/global/zeroed_memory.h"

namespace warpwise::watch {

/// The blocks that made accesses that were only noted down, all of one kind: of each cell of 4
/// bytes the two lowest blocks, and whether all stored the same. Any order and any number of host
/// threads in which blocks are added give the same.
class FirstAccessors {
 public:
  struct BlockAccess {
    std::uint32_t block, site;
    unsigned thread;
  };
  /// Sites from this one on cannot be kept.
  static constexpr std::uint32_t most_sites = 1u << 22;

  /// @param by_several host threads.
  explicit FirstAccessors(bool by_several) : by_several_(by_several) {}
  FirstAccessors(const FirstAccessors&) = delete;
  FirstAccessors& operator=(const FirstAccessors&) = delete;

  /// No block has come. After the last block.
  bool empty() const { return regions_.empty(); }
  /// A block has ended.
  void add(std::uint64_t block, const NotedAccesses& noted);
  /// The cells of a line that were touched.
  std::uint32_t cells(std::uint64_t line) const;
  /// The cells of a line to which different blocks stored different values.
  std::uint32_t differing(std::uint64_t line) const;
  /// For a cell that was stored to: the hash of one of the values.
  std::uint16_t value(std::uint64_t line, unsigned cell) const;
  /// The accesses to one cell, the lowest block first.
  std::vector<BlockAccess> accesses(std::uint64_t line, unsigned cell) const;
  /// Calls visit(line) for all lines that were touched.
  template <class Visit>
  void for_lines(Visit visit) const;
  /// Calls visit(cell, count, access, last thread) for neighbouring cells of which one instruction
  /// of the same lowest block touched each by the same thread, or each by the next one. Each cell
  /// once.
  template <class Visit>
  void for_runs(Visit visit) const;

 private:
  static constexpr unsigned cells_per_tile = cells_per_line * lines_per_tile;
  static constexpr unsigned tiles_per_region = 256;

  /// An access in one word: the higher, the lower its block, then its site, then its thread. 0:
  /// none.
  using Word = std::uint64_t;
  static Word word(std::uint64_t block, std::uint32_t site, unsigned thread) {
    return ~(block << 32 | Word{site} << 10 | thread);
  }
  static BlockAccess access(Word word) {
    return {static_cast<std::uint32_t>(~word >> 32),
            static_cast<std::uint32_t>(~word >> 10 & (most_sites - 1)),
            static_cast<unsigned>(~word & 1023)};
  }
  static bool is_same_block(Word a, Word b) { return (a ^ b) >> 32 == 0; }

  // These begin as zeros. Members that several host threads look at by themselves are atomic; the
  // rest belongs to the thread that holds the tile.
  /// The values that were stored.
  struct Values {
    std::uint16_t of[cells_per_tile];         ///< hash by the first, of cells that were touched
    std::uint32_t differing[lines_per_tile];  ///< cells
  };
  struct Line {
    std::atomic<std::uint32_t> settled;  ///< cells with two blocks
    std::uint32_t touched;               ///< cells with one
  };
  struct Tile {
    Line lines[lines_per_tile];
    std::atomic<std::uint32_t> highest;  ///< block that was ever one of them
    std::atomic<bool> is_held;
    Word lowest[cells_per_tile];
    Word* second;                 ///< of each cell; null: none has one
    std::atomic<Values*> values;  ///< of stores
    /// True where an access by the block changes nothing.
    bool is_settled(unsigned line, std::uint32_t cells, std::uint64_t block) const {
      return (lines[line].settled.load(std::memory_order_acquire) & cells) == cells &&
             block > highest.load(std::memory_order_relaxed);
    }
  };
  struct Region {
    std::atomic<Tile*> tiles[tiles_per_region];
  };
  /// Cells of a tile that an instruction of a block touches.
  struct Place {
    Tile* tile;
    Values* values;            ///< null: they are not stored to
    std::uint16_t cell;        ///< the first, in the tile
    std::uint8_t count, lane;  ///< cells of one line, and the lane of the first
    bool is_settled;

    unsigned line() const { return cell / cells_per_line; }
    std::uint32_t cells() const { return ~0u >> (cells_per_line - count) << cell % cells_per_line; }
  };
  class Regions;
  class Held;

  Region& region(std::uint64_t number);
  const Tile* find(std::uint64_t tile) const;
  template <class T>
  T* started(std::atomic<T*>& place);
  void add_row(const Place& place, Word first, unsigned each_shift, bool keeps_first);
  void add(Tile& tile, unsigned cell, Word word, bool keeps_first);
  template <class Hash>
  static void compare(const Place& place, Hash hash);

  bool by_several_;
  ZeroedMemory memory_;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Region*> regions_;
};

template <class Visit>
void FirstAccessors::for_lines(Visit visit) const {
  for (const auto& [number, region] : regions_)
    for (unsigned i = 0; i < tiles_per_region; ++i) {
      const Tile* const tile = region->tiles[i].load();
      if (!tile) continue;
      const std::uint64_t first = (number * tiles_per_region + i) * lines_per_tile;
      for (unsigned line = 0; line < lines_per_tile; ++line)
        if (tile->lines[line].touched) visit(first + line);
    }
}

template <class Visit>
void FirstAccessors::for_runs(Visit visit) const {
  auto for_runs_of = [&](std::uint64_t start, const Tile& tile) {
    for (unsigned cell = 0, count; cell < cells_per_tile; cell += count) {
      count = 1;
      const Word first = tile.lowest[cell];
      if (first == 0) continue;
      Word last = first, step = 0;  // a word is the complement of what it says
      for (; cell + count < cells_per_tile; ++count) {
        const Word next = tile.lowest[cell + count];
        if (count == 1) step = last - next;
        if (next == 0 || step > 1 || last - next != step || (first ^ next) >> 10) break;
        last = next;
      }
      visit(start + cell, std::uint64_t{count}, access(first), access(last).thread);
    }
  };
  for (const auto& [number, region] : regions_)
    for (unsigned i = 0; i < tiles_per_region; ++i)
      if (const Tile* tile = region->tiles[i].load())
        for_runs_of((number * tiles_per_region + i) * cells_per_tile, *tile);
}

}  // namespace warpwise::watch
