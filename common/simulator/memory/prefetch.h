#pragma once
#include <cstddef>

namespace warpwise::memory {

// A function of nothing but prefetches has no effect in the eyes of GCC, which leaves out calls of
// it: the empty instruction is one.

/// Lets a line of memory come into the processor's cache, to be read soon.
inline void prefetch(const void* at) {
  __builtin_prefetch(at);
  asm volatile("");
}
/// The same, to be written: other processors give the line up.
inline void prefetch_for_update(const void* at) {
  __builtin_prefetch(at, 1);
  asm volatile("");
}
/// The same for an address some way after so many bytes that are written now: in an array that
/// grows, memory that was not written just now comes slowly.
inline void prefetch_ahead(void* at, std::size_t bytes) {
  constexpr std::size_t line = 64, ahead = 1024;
  for (std::size_t i = 0; i < bytes; i += line)
    prefetch_for_update(static_cast<std::byte*>(at) + ahead + i);
}

}  // namespace warpwise::memory
