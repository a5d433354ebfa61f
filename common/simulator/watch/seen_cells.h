#pragma once
#include <cstdint>
#include <unordered_map>

#include "simulator/watch/line_lanes.h"
#include "simulator/watch/touched_tile.h"
#include "simulator/watch/zeroed_memory.h"

namespace warpwise::watch {

/// What blocks have touched, by kind, and nothing of who they were: enough to say that no block
/// meets another in conflict.
class SeenCells {
 public:
  /// Adds cells of a line that a block touched. Each line of a block once.
  /// @param cells by kind. @return true where blocks before did there what is in conflict with it.
  bool add(std::uint64_t line, const std::uint32_t* cells) { return add(this->line(line), cells); }
  /// The same for some of its cells, which the block touches in this way alone. Cells that it reads
  /// may come again.
  bool add(std::uint64_t line, Contact::Kind kind, std::uint32_t cells) {
    Line& at = this->line(line);
    const bool meets = (conflicting(at, kind) & cells) != 0;
    at.cells[kind] |= cells;
    return meets;
  }
  /// What other blocks have touched.
  bool add(const SeenCells& others);

 private:
  // These begin as zeros.
  struct Line {
    std::uint32_t cells[3];  ///< by kind
  };
  static constexpr unsigned lines_per_region = 2048;
  struct Region {
    Line lines[lines_per_region];
  };

  /// Cells where an access of the kind is in conflict with what is there.
  static std::uint32_t conflicting(const Line& line, Contact::Kind kind) {
    return (kind == Contact::read ? 0 : line.cells[Contact::read]) |
           (kind == Contact::strong ? 0 : line.cells[Contact::strong]) | line.cells[Contact::write];
  }
  static bool add(Line& line, const std::uint32_t* cells);
  Line& line(std::uint64_t line) {
    const std::uint64_t number = line / lines_per_region;
    Found& found = found_[number % places];
    if (found.number != number) found = {number, &region(number)};
    return found.region->lines[line % lines_per_region];
  }
  Region& region(std::uint64_t number);

  static constexpr std::uint64_t places = 64;
  /// Mostly few regions are asked for again and again.
  struct Found {
    std::uint64_t number = ~0ull;
    Region* region = nullptr;
  } found_[places];
  ZeroedMemory memory_;
  std::unordered_map<std::uint64_t, Region*> regions_;
};

}  // namespace warpwise::watch
