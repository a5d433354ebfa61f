#include "simulator/watch/access_log.h"

#include <algorithm>

#include "simulator/isa/fast_loops.h"
#include "simulator/watch/line_lanes.h"

namespace warpwise::watch {

WARPWISE_FAST_LOOPS AccessLog::Noted* AccessLog::add(const AccessEvent& event,
                                                     const TouchedPieces::Reach& reach,
                                                     const TouchedPieces& touched) {
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
  if (touched.meets(reach)) return nullptr;
  pieces_.add(reach);
  std::int32_t any = 0;
  for (std::int32_t offset : offsets.of) any |= offset;
  if (any != 0) offsets_.push_back(offsets);
  Noted& noted = noted_.emplace_back();
  noted.base = base;
  noted.site = event.site;
  noted.mask = event.mask;
  noted.bytes = static_cast<std::uint16_t>(event.bytes);
  noted.offsets = any != 0 ? static_cast<std::uint32_t>(offsets_.size()) : 0;
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
