#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/memory/prefetch.h"
#include "simulator/watch/global/zeroed_memory.h"

namespace warpwise::watch {

/// Runs of a few words each, one after the other, which stay where they are.
class ChunkedWords {
 public:
  const std::uint32_t* at(std::uint32_t index) const {
    return chunks_[index / each] + index % each;
  }
  /// Where the next run is to begin at the earliest.
  std::uint32_t size() const { return size_; }
  /// Adds a run of so many words, at most 32, still to be filled in.
  /// @param index out: where it begins.
  std::uint32_t* add(ZeroedMemory& memory, unsigned words, std::uint32_t& index) {
    if (size_ % each + words > each) size_ += each - size_ % each;  // runs are contiguous
    if (size_ + words > chunks_.size() * each)
      chunks_.push_back(memory.make_unset<std::uint32_t>(each));
    index = size_;
    size_ += words;
    std::uint32_t* const run = chunks_[index / each] + index % each;
    memory::prefetch_ahead(run, words * sizeof *run);
    return run;
  }
  /// Forgets all from that one on.
  void cut(std::uint32_t size) { size_ = size; }

 private:
  static constexpr std::uint32_t each = 8192;

  std::vector<std::uint32_t*> chunks_;
  std::uint32_t size_ = 0;
};

}  // namespace warpwise::watch
