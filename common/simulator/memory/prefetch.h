#pragma once

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

}  // namespace warpwise::memory
