#include "simulator/watch/access_log.h"

#include <algorithm>

#include "simulator/isa/fast_loops.h"
#include "simulator/watch/line_lanes.h"

namespace warpwise::watch {

WARPWISE_FAST_LOOPS AccessLog::Noted* AccessLog::add(const AccessEvent& event,
                                                     const TouchedPieces& touched) {
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
    if (touched.meets(first, last)) return nullptr;
    pieces_.add(first, last);
  } else {
    if (touched.meets(event)) return nullptr;
    pieces_.add(event);
  }
  if (least != most) offsets_.push_back(offsets);
  Noted& noted = noted_.emplace_back();
  noted.base = base;
  noted.site = event.site;
  noted.mask = event.mask;
  noted.bytes = static_cast<std::uint16_t>(event.bytes);
  noted.offsets = least != most ? static_cast<std::uint32_t>(offsets_.size()) : 0;
  return &noted;
}

void AccessLog::keep(Noted& noted, const StoredValues& values) {
  const unsigned words = noted.bytes / 4;
  noted.values = static_cast<std::uint32_t>(values_.size());
  values_.resize(values_.size() + std::size_t{32} * words);
  for (unsigned word = 0; word < words; ++word) {
    std::uint32_t* const to = &values_[noted.values + 32 * word];
    if (noted.mask == ~0u && values.are_words(words))
      std::copy_n(values.words(word), 32, to);
    else
      for_cells(noted.mask, [&](unsigned lane) { to[lane] = values.stored(lane, 4u * word, 4); });
  }
}

}  // namespace warpwise::watch
