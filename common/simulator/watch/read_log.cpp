#include "simulator/watch/read_log.h"

#include <algorithm>

#include "simulator/isa/fast_loops.h"

namespace warpwise::watch {

WARPWISE_FAST_LOOPS ReadLog::Read* ReadLog::add(const AccessEvent& event,
                                                const TouchedPieces& stored) {
  constexpr int few_pieces = 64 << 12;  // bytes
  const std::uint64_t base = event.addresses[std::countr_zero(event.mask)];
  Offsets offsets;
  std::uint64_t beyond = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint64_t takes_part = 0 - std::uint64_t{event.mask >> lane & 1};
    const std::uint64_t offset = (event.addresses[lane] - base) & takes_part;
    beyond |= (offset + 0x80000000u) >> 32;
    offsets.of[lane] = static_cast<std::int32_t>(offset);
  }
  if (beyond) return nullptr;
  std::int32_t least = 0, most = 0;
  for (std::int32_t offset : offsets.of) {
    least = std::min(least, offset);
    most = std::max(most, offset);
  }
  // What lies between two of a few pieces may be counted to them.
  if (most - std::int64_t{least} < few_pieces) {
    const std::uint64_t first = base + static_cast<std::uint64_t>(std::int64_t{least});
    const std::uint64_t last = base + static_cast<std::uint64_t>(std::int64_t{most});
    if (stored.meets(first, last)) return nullptr;
    pieces_.add(first, last);
  } else {
    if (stored.meets(event)) return nullptr;
    pieces_.add(event);
  }
  if (least != most) offsets_.push_back(offsets);
  Read& read = reads_.emplace_back();
  read.base = base;
  read.site = event.site;
  read.mask = event.mask;
  read.bytes = static_cast<std::uint16_t>(event.bytes);
  read.offsets = least != most ? static_cast<std::uint32_t>(offsets_.size()) : 0;
  return &read;
}

}  // namespace warpwise::watch
