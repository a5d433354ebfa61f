#include "simulator/memory/heap_share.h"

namespace warpwise::memory {

HeapShare heap_share(std::uint64_t bytes) {
  constexpr std::uint64_t place = 80, front = 16, smallest = 2208, siblings = 24, head = 288;
  constexpr std::uint64_t most = std::uint64_t{1} << 50, parts = HeapShare::parts_of_a_byte;
  if (bytes > most) return {bytes, bytes * parts};
  // A head and its part of those above it, which grow less and less.
  constexpr std::uint64_t heads = head * siblings * parts / (siblings - 1);
  const std::uint64_t wanted = bytes + front;
  if (const std::uint64_t places = (wanted + place - 1) / place; places <= siblings)
    return {places * place + head, (smallest * parts + heads / siblings) / (siblings / places)};
  std::uint64_t size = smallest;
  while (wanted > siblings * size) size = siblings * size + head;
  const std::uint64_t count = (wanted + size - 1) / size;
  return {count * size, (siblings * size * parts + heads) / (siblings / count)};
}

}  // namespace warpwise::memory
