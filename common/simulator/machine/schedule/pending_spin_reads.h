#pragma once
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace warpwise::machine {

/// Blocks that wait for others read memory when it is their turn, which may be late: the others
/// may have gone on and have written the same word once more, as they do at the next barrier of the
/// grid. Then the thread that reads learns of both, and all that came in between seems to be
/// ordered. On a GPU it would have gone on meanwhile.
///
/// So before a block writes a word again, those that wait for what it knows of may read it.
class PendingSpinReads {
 public:
  /// No block waits anywhere, nor has.
  bool empty() const { return places_.empty(); }
  /// A block's turn ends, and the thing that it does is to read there.
  void waits(std::uint64_t block, std::uint64_t address) {
    Place& place = places_[address];
    const std::uint64_t seen = place.version;
    place.seen[block] = seen;
    ++place.waiting[seen];
    waiting_[block].push_back({address, seen});
  }
  /// A block's turn begins: it reads.
  void reads(std::uint64_t block) {
    const auto found = waiting_.find(block);
    if (found == waiting_.end()) return;
    for (const auto& [address, seen] : found->second) {
      Place& place = places_[address];
      const auto alike = place.waiting.find(seen);
      if (--alike->second == 0) place.waiting.erase(alike);
      place.seen[block] = place.version;
    }
    found->second.clear();  // and not the entry: the block will wait again
  }
  /// A block is about to write the word.
  /// @return true where others have to read it first. Else it counts as written.
  bool writes(std::uint64_t block, std::uint64_t address) {
    const auto found = places_.find(address);
    if (found == places_.end()) return false;
    Place& place = found->second;
    std::uint64_t& seen = place.seen[block];
    if (!place.waiting.empty() && place.waiting.begin()->first < seen && favours_ < most_favours) {
      ++favours_;
      return true;
    }
    seen = ++place.version;
    return false;
  }

 private:
  /// A lock that many wait for by reading only goes to few of them.
  static constexpr std::uint64_t most_favours = 1 << 12;

  /// Versions are numbers of writes.
  struct Place {
    std::uint64_t version = 0;
    std::unordered_map<std::uint64_t, std::uint64_t> seen;  ///< by block, the latest
    std::map<std::uint64_t, std::uint32_t> waiting;  ///< how many wait that have seen so much
  };
  struct SpinRead {
    std::uint64_t address, seen;
  };
  std::unordered_map<std::uint64_t, Place> places_;                   ///< by address
  std::unordered_map<std::uint64_t, std::vector<SpinRead>> waiting_;  ///< by block
  std::uint64_t favours_ = 0;
};

}  // namespace warpwise::machine
