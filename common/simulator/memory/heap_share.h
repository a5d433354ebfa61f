#pragma once
#include <cstdint>

namespace warpwise::memory {

/// What a block takes of the heap of kernels. On an H100 the heap is a tree: 24 blocks of one size
/// and a head are a block of the next size, and the smallest holds 2,208 bytes. A request gets one
/// block or several neighbours out of the same 24, so that the rest of these may stay without use
/// (cudart/answers/recorded/heap_*).
struct HeapShare {
  std::uint64_t room = 0;   ///< bytes that have to be left
  std::uint64_t taken = 0;  ///< bytes with what no block of the same size can use any more
};

/// @param bytes as asked for; not 0.
HeapShare heap_share(std::uint64_t bytes);

}  // namespace warpwise::memory
