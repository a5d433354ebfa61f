#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "simulator/watch/global/first_accessors.h"
#include "simulator/watch/global/global_races.h"
#include "simulator/watch/launches/footprint.h"
#include "simulator/watch/order/chunked_array.h"

namespace warpwise::watch {

/// Finds inter-block races: global memory that blocks of a launch touch in conflict, where nothing
/// can order them. The blocks run in any order, on any host threads, and the result is the same.
///
/// The two lowest blocks are kept for each cell and kind of access, which is enough to tell whether
/// two different blocks met there, and whether all stored values were equal.
///
/// Where so much of a large array is raced for that this would take more than there is room for, a
/// sample of the lines is kept of those that were raced for.
class InterBlockRaces {
 public:
  /// Entries of all lists together. Where there are more, not all that was raced for is kept.
  static constexpr std::size_t room_of_launch = 1u << 21;

  /// @param cell_shift as GlobalRaces has it.
  /// @param by_several host threads. @param room entries of lists.
  explicit InterBlockRaces(unsigned cell_shift, bool by_several = true,
                           std::size_t room = room_of_launch)
      : shift_(cell_shift), by_several_(by_several), room_(room) {}

  /// A block has ended.
  void add(std::uint64_t block, const GlobalRaces& races);

  /// Two blocks at one place.
  struct Race {
    struct Side {
      std::uint64_t block = 0;
      unsigned thread = 0;
      std::uint32_t site = 0;
      LineAccess::Kind kind = LineAccess::read;
    };
    Side lower, higher;  ///< by block
    std::uint64_t address = 0;
    unsigned cells = 0;  ///< from there on, in the same line
  };
  /// Calls visit(race) for all of them, in order of address. After the last block.
  template <class Visit>
  void for_races(Visit visit) {
    std::vector<Race> in_line;
    for (const std::uint64_t number : numbers_with_races()) {
      const Chunk* const chunk = settled(number);
      for (std::uint64_t line = 0; line < lines_per_chunk; ++line) {
        in_line.clear();
        races_in(chunk, number * lines_per_chunk + line, in_line);
        for (const Race& race : in_line) visit(race);
      }
    }
  }
  /// The memory that all blocks touched. After the last block.
  Footprint footprint() const;

 private:
  static constexpr std::uint64_t tiles_per_chunk = 16;
  static constexpr std::uint64_t lines_per_chunk = tiles_per_chunk * lines_per_tile;
  /// A block's access in the list of its line.
  struct RecordedAccess : LineAccess {
    LaneRow row{};
    std::uint32_t block = 0;
    std::uint32_t next = 0;   ///< 1 + index of a recorded access, 0: none
    std::uint32_t lanes = 0;  ///< 1 + index of lanes in no row; it may be there already
    bool is_row = true;
  };
  struct Line {                      // begins as zeros
    std::uint32_t first;             ///< 1 + index of a recorded access, 0: none
    std::uint32_t highest;           ///< block that came here
    std::uint32_t written, differs;  ///< cells
    std::uint32_t one[3], two[3];    ///< by kind: cells of a block, of two
    std::uint32_t of_others[3];      ///< by kind: cells of any but the highest

    /// Cells where an access of the kind is in conflict with what is there.
    std::uint32_t in_conflict(LineAccess::Kind kind) const { return in_conflict(kind, one); }
    /// The same of an access by the highest block, with others.
    std::uint32_t in_conflict_of_highest(LineAccess::Kind kind) const {
      return in_conflict(kind, of_others);
    }

   private:
    static std::uint32_t in_conflict(LineAccess::Kind kind, const std::uint32_t* cells) {
      return (kind == LineAccess::read ? 0 : cells[LineAccess::read]) |
             (kind == LineAccess::strong ? 0 : cells[LineAccess::strong]) |
             cells[LineAccess::write];
    }
  };
  struct Values {
    std::uint16_t of[cells_per_line];  ///< hashes, by cell
  };
  struct Chunk {
    explicit Chunk(ZeroedMemory& of) : memory(of), lines(of.make<Line>(lines_per_chunk)) {}
    ZeroedMemory& memory;
    std::mutex mutex;
    std::uint32_t raced[tiles_per_chunk] = {};  ///< by tile: lines that may have a race
    std::uint32_t left[tiles_per_chunk] = {};   ///< such of which nothing is kept
    std::size_t raced_lines = 0;
    Line* lines;               ///< an array
    Values* values = nullptr;  ///< of what the first stored, by line; null: nothing was stored
    ChunkedArray<RecordedAccess, 128, true> accesses;
    std::vector<LineLanes> lanes;
    std::uint32_t free = 0;  ///< 1 + index of a recorded access that is over, 0: none

    void compare_values(std::uint64_t line, std::uint32_t stored, const std::uint16_t* theirs);
    /// Calls visit(recorded) for all of a line.
    template <class Visit>
    void for_recorded(const Line& line, Visit visit) {
      for (std::uint32_t at = line.first; at; at = accesses[at - 1].next) visit(accesses[at - 1]);
    }
    template <class Visit>
    void for_recorded(const Line& line, Visit visit) const {
      for (std::uint32_t at = line.first; at; at = accesses[at - 1].next) visit(accesses[at - 1]);
    }
    bool insert(Line& line, std::uint32_t block, const LineAccess& by, const LineLanes& lanes);
    void insert_among(Line& line, std::uint32_t block, const LineAccess& by,
                      const LineLanes& lanes);
    bool meets_other(const Line& line, std::uint32_t block, const LineAccess& access) const;
    void drop_higher(Line& line, std::uint32_t block, const LineAccess& access);
    void leave_all_but_sample(std::uint64_t tile);
    bool has_raced(std::uint64_t line) const {
      return raced[line / lines_per_tile] >> line % lines_per_tile & 1;
    }
    void record(Line& line, std::uint32_t block, const LineAccess& by, std::uint32_t cells,
                const LineLanes& of);
    unsigned thread(const RecordedAccess& recorded, unsigned cell) const {
      return recorded.warp * 32u +
             (recorded.is_row ? recorded.row.lane(cell) : lanes[recorded.lanes - 1].lane(cell));
    }
  };

  Chunk& chunk(std::uint64_t number);
  static void add_tile(Chunk& chunk, std::uint64_t block, const GlobalRaces& races,
                       const TouchedTile& tile, std::uint32_t touched);
  std::vector<std::uint64_t> numbers(bool only_raced) const;
  std::vector<std::uint64_t> numbers_with_races() const;
  const Chunk* settled(std::uint64_t number);
  bool is_full() const { return recorded_.load(std::memory_order_relaxed) > room_; }
  void add_pieces(Chunk& chunk, std::uint64_t number, std::uint64_t line, Footprint& to) const;
  void add_noted(LineAccess::Kind kind, Footprint& to) const;
  static void join(std::vector<RecordedAccess>& all, LineAccess::Kind kind,
                   const std::vector<FirstAccessors::BlockAccess>& noted, unsigned cell);
  static unsigned thread(const Chunk* chunk, const RecordedAccess& recorded, unsigned cell) {
    return recorded.is_row ? recorded.warp * 32u + recorded.row.lane(cell)
                           : chunk->thread(recorded, cell);
  }
  std::uint32_t differing(const Chunk* chunk, std::uint64_t line) const;
  void races_in(const Chunk* chunk, std::uint64_t line, std::vector<Race>& races) const;

  std::unique_lock<std::mutex> locked(std::mutex& mutex) const {
    return by_several_ ? std::unique_lock(mutex) : std::unique_lock<std::mutex>();
  }

  unsigned shift_;
  bool by_several_;
  std::size_t room_;
  std::atomic<std::size_t> recorded_ = 0;  ///< of all lists
  ZeroedMemory memory_;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Chunk>> chunks_;
  /// Accesses that the blocks only noted down, by kind.
  FirstAccessors noted_[3] = {FirstAccessors(by_several_), FirstAccessors(by_several_),
                              FirstAccessors(by_several_)};
};

}  // namespace warpwise::watch
