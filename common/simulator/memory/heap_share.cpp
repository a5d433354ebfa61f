#include "simulator/memory/heap_share.h"

namespace warpwise::memory {

HeapShare heap_share(std::uint64_t bytes) {
  // The largest whose neighbours 80 bytes apart were seen; so many bytes are in front of each.
  constexpr std::uint64_t most_small = 560, grain = 80, front = 16;
  constexpr std::uint64_t siblings = 24, head = 288, most = std::uint64_t{1} << 50;
  if (bytes > most) return {bytes, bytes};
  const std::uint64_t wanted = bytes + front;
  const std::uint64_t small = (wanted + grain - 1) / grain * grain;
  if (small <= most_small) return {small, small};
  std::uint64_t size = 2208;
  while (wanted > siblings * size) size = siblings * size + head;
  const std::uint64_t count = (wanted + size - 1) / size;
  // A head and its part of those above it, which grow less and less.
  constexpr std::uint64_t heads = head * siblings / (siblings - 1);
  return {count * size, (siblings * size + heads) / (siblings / count)};
}

}  // namespace warpwise::memory
