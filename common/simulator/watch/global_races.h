#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/watch/access_event.h"
#include "simulator/watch/happens_before.h"
#include "simulator/watch/stored_values.h"

namespace warpwise::watch {

/// Global memory is watched in lines of 32 cells. A cell has 4 bytes, or one in programs that
/// access less than 4.
constexpr unsigned cells_per_line = 32;

/// Log2 of a cell's bytes.
constexpr unsigned cell_shift(bool narrow) { return narrow ? 0 : 2; }

/// What a block did to cells of one line, for the comparison with other blocks. Lane (cell + base)
/// >> shift of the warp touched the cell.
struct Contact {
  enum Kind : std::uint8_t { read, write, strong };
  std::uint32_t cells = 0;  ///< never 0
  std::uint32_t site = 0;
  std::uint16_t warp = 0;  ///< in the block
  std::int16_t base = 0;
  std::uint8_t shift = 0;
  Kind kind = read;

  unsigned thread(unsigned cell) const {
    return warp * 32u + (static_cast<unsigned>(static_cast<int>(cell) + base) >> shift);
  }
};

/// Finds conflicting accesses to global memory of which neither comes before the other: of one
/// block after another, or of all blocks of a launch that run on one host thread and synchronise
/// through memory.
///
/// What is remembered of a line is a list of accesses: each of one instruction of one warp, with
/// the lane that touched each cell. An access goes where a later one says as much: whoever is
/// ordered after the later one is ordered after both.
class GlobalRaces {
 public:
  /// A conflict: this access against an earlier one of another thread.
  struct Race {
    unsigned lane;  ///< of the later access
    std::uint64_t address;
    std::uint64_t other_warp;  ///< number of its block times warps of a block + warp
    unsigned other_lane;
    bool other_is_store;
    std::uint32_t other_site;
  };
  /// A line that the block touched.
  struct Line {
    std::uint64_t number = 0;         ///< address / bytes of a line
    std::vector<Contact> contacts;    ///< of each kind at most one for a cell
    std::uint32_t contacted[3] = {};  ///< cells, by kind
    std::uint16_t values[32] = {};    ///< hashes of what was stored last
    struct Access {
      std::uint32_t cells = 0, clock = 0, site = 0;
      std::uint32_t event = 0, event_cells = 0;  ///< the last instruction, and what it touched
      std::uint64_t warp = 0;                    ///< in the grid
      bool weak = false, store = false;
      bool several = false;         ///< some cell was touched by several lanes
      std::uint8_t lanes[32] = {};  ///< by cell; with `several_lanes` added, the lowest of them
    };
    std::vector<Access> accesses;
    /// Who updated each cell last by an atomic or strong store, 1 + thread in the grid; empty
    /// without one.
    std::vector<std::uint64_t> updaters;
  };

  /// @param narrow true where the program has accesses of less than 4 bytes.
  /// @param keep_contacts where blocks are compared with each other afterwards.
  GlobalRaces(bool narrow, bool keep_contacts);

  /// Forgets what earlier blocks did.
  void start_block();
  /// Checks and records. Call before a store changes the memory, and before a strong access
  /// synchronises.
  /// @param order of the warp's block. @param values of stores.
  std::optional<Race> access(HappensBefore& order, unsigned warp, const AccessEvent& event,
                             const StoredValues& values);

  /// Calls visit(line) for all lines that were touched, in the order in which they were first.
  template <class Visit>
  void for_lines(Visit visit) const {
    for (std::size_t i = 0; i < used_; ++i) visit(lines_[i]);
  }

 private:
  /// The cells of one line that an instruction touches.
  struct Part {
    std::uint64_t line = 0;
    std::uint32_t cells = 0;
    bool several = false;
    bool regular = false;  ///< lane (cell + base) >> shift touches the cell
    std::int16_t base = 0;
    std::uint8_t shift = 0;
    std::uint8_t lanes[32] = {};
  };
  /// What all parts of an instruction share.
  struct Now {
    HappensBefore& order;
    const AccessEvent& event;
    const StoredValues& values;
    unsigned warp;
    std::uint64_t warp_in_grid;
    std::uint32_t clock, whole_sync;
    std::optional<Race> found;
    bool weak() const { return !event.is_strong(); }
  };

  void consecutive(Now& now);
  void lane_by_lane(Now& now);
  void share(Now& now, Part& part, unsigned lane, std::uint32_t cells) const;
  void add(Now& now, Part& part);
  std::uint32_t ordered(const Now& now, const Line::Access& earlier, const Part& part,
                        std::uint32_t cells, bool thoroughly) const;
  static std::uint32_t coherent(const Now& now, const Line& line, const Part& part,
                                std::uint32_t cells);
  static void keep_updaters(const Now& now, Line& line, const Part& part);
  std::uint32_t lanes_at(const Now& now, const Part& part, unsigned cell) const;
  void report(Now& now, const Line::Access& earlier, const Part& part, std::uint32_t cells,
              bool same_event) const;
  bool stores_same(const Now& now, const Part& part, unsigned cell,
                   const Line::Access* same_event) const;
  void record(const Now& now, Line& line, const Part& part) const;
  void keep_contact(const Now& now, Line& line, const Part& part) const;
  void keep_values(const Now& now, Line& line, const Part& part) const;
  bool is_regular(const Now& now, const Part& part, Contact& contact) const;
  static void join(Line& line, const Contact& contact);
  Line& line(std::uint64_t number);
  void grow();
  std::uint64_t address(const Part& part, unsigned cell) const {
    return (part.line * cells_per_line + cell) << shift_;
  }
  unsigned cell_bytes() const { return 1u << shift_; }

  struct Slot {
    std::uint64_t number = 0;
    std::uint32_t epoch = 0, index = 0;
  };
  unsigned shift_;  ///< log2 of a cell's bytes
  bool keep_contacts_;
  std::uint32_t epoch_ = 1;  ///< slots of others are free
  std::uint32_t event_ = 0;  ///< number of the instruction being checked
  std::vector<Slot> slots_;  ///< open addressing; a power of two
  std::vector<Line> lines_;
  std::size_t used_ = 0;  ///< of lines_
};

}  // namespace warpwise::watch
