#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/watch/access_event.h"
#include "simulator/watch/happens_before.h"
#include "simulator/watch/line_parts.h"
#include "simulator/watch/line_table.h"
#include "simulator/watch/stored_values.h"

namespace warpwise::watch {

/// What a block did to cells of one line, for the comparison with other blocks.
struct Contact {
  enum Kind : std::uint8_t { read, write, strong };
  std::uint32_t cells = 0;  ///< never 0
  std::uint32_t site = 0;
  std::uint16_t warp = 0;  ///< in the block
  Kind kind = read;
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
    struct Access {
      std::uint32_t cells;  ///< that no later access speaks for
      std::uint32_t site, clock;
      std::uint32_t contacts;  ///< cells that the block touched here first, in this kind
      std::uint64_t warp;      ///< in the grid
      std::uint16_t warp_in_block;
      bool weak, store;
      LineLanes lanes;

      Contact::Kind kind() const {
        return !weak ? Contact::strong : store ? Contact::write : Contact::read;
      }
    };
    std::uint64_t number = 0;         ///< address / bytes of a line
    std::uint32_t accessed = 0;       ///< cells of all accesses
    std::uint32_t contacted[3] = {};  ///< cells, by kind
    std::vector<Access> accesses;
    /// Who updated each cell last by an atomic or strong store, 1 + thread in the grid; empty
    /// without one.
    std::vector<std::uint64_t> updaters;
    std::uint16_t values[32] = {};  ///< hashes of what was stored last

    void start(std::uint64_t at);
    /// Calls visit(contact, lanes) for all that other blocks may be in conflict with.
    template <class Visit>
    void for_contacts(Visit visit) const {
      for (const Access& access : accesses)
        if (access.contacts)
          visit(Contact{access.contacts, access.site, access.warp_in_block, access.kind()},
                access.lanes);
    }
  };

  /// @param narrow true where the program has accesses of less than 4 bytes.
  /// @param keep_contacts where blocks are compared with each other afterwards.
  GlobalRaces(bool narrow, bool keep_contacts)
      : shift_(cell_shift(narrow)), keep_contacts_(keep_contacts) {}

  /// Forgets what earlier blocks did.
  void start_block() { lines_.clear(); }
  /// Checks and records. Call before a store changes the memory, and before a strong access
  /// synchronises.
  /// @param order of the warp's block. @param values of stores.
  std::optional<Race> access(HappensBefore& order, unsigned warp, const AccessEvent& event,
                             const StoredValues& values);

  /// Calls visit(line) for all lines that were touched, in the order in which they were first.
  template <class Visit>
  void for_lines(Visit visit) const {
    lines_.for_all(visit);
  }

 private:
  /// What all parts of an instruction share.
  struct Now {
    HappensBefore& order;
    const AccessEvent& event;
    const StoredValues& values;
    unsigned warp;
    std::uint64_t warp_in_grid;
    std::uint32_t clock, whole_sync;
    std::size_t recorded = 0;  ///< where the part before went in its line
    std::optional<Race> found;
    bool weak() const { return !event.is_strong(); }
    /// True where this is the same instruction, and the warp has not synchronised in between.
    bool goes_on(const Line::Access& access) const {
      return access.site == event.site && access.clock == clock && access.warp == warp_in_grid &&
             access.store == event.is_store && access.weak == weak();
    }
  };

  void compare_lanes(Now& now, const LinePart& part) const;
  void check(Now& now, Line& line, const LinePart& part) const;
  std::uint32_t ordered(const Now& now, const Line::Access& earlier, const LinePart& part,
                        std::uint32_t cells, bool thoroughly) const;
  static std::uint32_t coherent(const Now& now, const Line& line, const LinePart& part,
                                std::uint32_t cells);
  static void keep_updaters(const Now& now, Line& line, const LinePart& part);
  std::uint32_t lanes_at(const Now& now, const LinePart& part, unsigned cell) const;
  void report(Now& now, const Line::Access& earlier, const LinePart& part,
              std::uint32_t cells) const;
  bool stores_same(const Now& now, const LinePart& part, unsigned cell) const;
  static Line::Access& record(Now& now, Line& line, const LinePart& part);
  static Line::Access& add(const Now& now, Line& line, const LinePart& part);
  void keep_contacts(const Now& now, Line& line, const LinePart& part, Line::Access& access) const;
  void keep_values(const Now& now, Line& line, const LinePart& part) const;
  std::uint32_t stored(const Now& now, unsigned lane, std::uint64_t address) const {
    return now.values.stored(lane, address - now.event.addresses[lane], 1u << shift_);
  }
  std::uint64_t address(const LinePart& part, unsigned cell) const {
    return (part.line * cells_per_line + cell) << shift_;
  }

  unsigned shift_;  ///< log2 of a cell's bytes
  bool keep_contacts_;
  LineTable<Line> lines_;
};

}  // namespace warpwise::watch
