#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "simulator/watch/global_races.h"

namespace warpwise::watch {

/// Finds global memory that blocks of a launch touch in conflict, where nothing can order them: the
/// blocks run in any order, on any host threads, and the result is the same.
///
/// Of each cell and kind of access the two lowest blocks are kept, which is enough to tell whether
/// two different blocks met there, and whether all stored values were equal.
class RacesBetweenBlocks {
 public:
  /// @param narrow as GlobalRaces has it.
  explicit RacesBetweenBlocks(bool narrow) : shift_(cell_shift(narrow)) {}

  /// A block has ended. By any host thread.
  void add(std::uint64_t block, const GlobalRaces& races);

  /// Two blocks at one place.
  struct Race {
    struct Side {
      std::uint64_t block = 0;
      unsigned thread = 0;
      std::uint32_t site = 0;
      Contact::Kind kind = Contact::read;
    };
    Side lower, higher;  ///< by block
    std::uint64_t address = 0;
    unsigned cells = 0;  ///< from there on, in the same line
  };
  /// All of them, in order of address. After the last block.
  std::vector<Race> races() const;

 private:
  static constexpr std::uint64_t lines_per_chunk = 512;
  struct Meeting : Contact {
    std::uint32_t block = 0;
  };
  /// A line: few blocks in most launches.
  struct Line {
    Meeting first[2];  ///< cells 0: none
    std::unique_ptr<std::vector<Meeting>> more;
    std::uint32_t written = 0, differs = 0;  ///< cells
    std::uint16_t values[32] = {};           ///< hashes of what the first stored
  };
  struct Chunk {
    std::mutex mutex;
    bool suspicious = false;  ///< some line may have a race
    std::unique_ptr<Line[]> lines{new Line[lines_per_chunk]};
  };

  Chunk& chunk(std::uint64_t number);
  static bool add_to(Line& line, std::uint32_t block, const GlobalRaces::Line& touched);
  static bool insert(Line& line, Meeting meeting);
  void races_in(std::uint64_t number, const Line& line, std::vector<Race>& races) const;

  unsigned shift_;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Chunk>> chunks_;
};

}  // namespace warpwise::watch
