#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/memory/prefetch.h"
#include "simulator/watch/global/zeroed_memory.h"

namespace warpwise::watch {

/// A growing array whose elements stay where they are. Their memory lives as long as their owner's:
/// to grow copies nothing.
/// @tparam each elements that are adjacent: a power of two.
/// @tparam are_zeros whether new ones are full of zeros, until the array is cut.
template <class T, std::uint32_t each, bool are_zeros>
class ChunkedArray {
 public:
  T& operator[](std::uint32_t index) { return chunks_[index / each][index % each]; }
  const T& operator[](std::uint32_t index) const { return chunks_[index / each][index % each]; }
  std::uint32_t size() const { return size_; }
  /// The last is still to be filled in.
  T& add(ZeroedMemory& memory) {
    if (size_ == chunks_.size() * each)
      chunks_.push_back(are_zeros ? memory.make<T>(each) : memory.make_unset<T>(each));
    T& added = (*this)[size_++];
    if constexpr (!are_zeros) memory::prefetch_ahead(&added, sizeof added);
    return added;
  }
  /// Forgets all from that one on.
  void cut(std::uint32_t size) { size_ = size; }

 private:
  std::vector<T*> chunks_;
  std::uint32_t size_ = 0;
};

}  // namespace warpwise::watch
