#pragma once
#include <cstdint>

namespace warpwise::memory {

/// The part of the heap of kernels that a block takes. On an H100 the heap is a tree: 24 blocks of
/// one size and a head are a block of the next size, and the smallest holds 2,208 bytes. A request
/// gets one block or several neighbours out of the same 24, so that the rest of these may stay
/// without use. Small requests share one of the smallest blocks: it has 24 places of 80 bytes, of
/// which each gets some neighbours (the subjects heap_* of verification/answers).
struct HeapShare {
  static constexpr std::uint64_t parts_of_a_byte = 256;

  std::uint64_t room = 0;   ///< bytes that have to be left
  std::uint64_t taken = 0;  ///< with what no block of the same size can use any more; in parts
};

/// @param bytes as asked for; not 0.
HeapShare heap_share(std::uint64_t bytes);

}  // namespace warpwise::memory
