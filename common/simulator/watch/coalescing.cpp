#include "simulator/watch/coalescing.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "simulator/isa/fast_loops.h"
#include "simulator/watch/small_index.h"

namespace warpwise::watch {
namespace {

unsigned lanes_per_part(unsigned bytes) { return bytes <= 4 ? 32 : bytes == 8 ? 16 : 8; }

/// The bank that has to give most different words decides.
unsigned part_wavefronts(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes) {
  std::uint64_t words[bank_count][32];
  std::uint8_t counts[bank_count] = {};
  unsigned most = 0;
  for (; mask; mask &= mask - 1) {
    const std::uint64_t address = addresses[std::countr_zero(mask)];
    for (std::uint64_t word = address / 4; word <= (address + bytes - 1) / 4; ++word) {
      std::uint64_t* const of_bank = words[word % bank_count];
      std::uint8_t& count = counts[word % bank_count];
      if (std::find(of_bank, of_bank + count, word) != of_bank + count) continue;
      of_bank[count++] = word;
      most = std::max<unsigned>(most, count);
    }
  }
  return most;
}

/// True where all lanes of the mask have the address of the lane `apart` away, if that takes part
/// too.
bool neighbours_share(const std::uint64_t* addresses, std::uint32_t mask, unsigned apart) {
  for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if ((mask >> (lane ^ apart) & 1) && addresses[lane] != addresses[lane ^ apart]) return false;
  }
  return true;
}

bool neighbours_share(const std::uint64_t* addresses, std::uint32_t mask) {
  return neighbours_share(addresses, mask, 1) || neighbours_share(addresses, mask, 2);
}

/// Different addresses of the lanes.
unsigned different(const std::uint64_t* addresses, std::uint32_t mask) {
  SmallIndex<64> seen;
  for (; mask; mask &= mask - 1) seen.at(addresses[std::countr_zero(mask)]);
  return seen.size();
}

/// Two parts of a warp, the lanes of `low` and the others: one wavefront where neighbours share and
/// no bank has to give two words, else those of both.
unsigned joined_wavefronts(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t low,
                           unsigned bytes) {
  if (neighbours_share(addresses, mask) && part_wavefronts(addresses, mask, bytes) <= 1)
    return mask != 0;
  return part_wavefronts(addresses, mask & low, bytes) +
         part_wavefronts(addresses, mask & ~low, bytes);
}

/// True where all lanes touch sectors of their own, each behind that of the lane before.
bool are_sectors_apart(const std::uint64_t* addresses, unsigned bytes) {
  bool apart = addresses[0] % sector_bytes + bytes <= sector_bytes;
  for (unsigned lane = 1; lane < 32; ++lane)
    apart &= (addresses[lane] >= addresses[lane - 1] + sector_bytes) &
             (addresses[lane] % sector_bytes + bytes <= sector_bytes);
  return apart;
}

}  // namespace

WARPWISE_FAST_LOOPS unsigned sectors(const std::uint64_t* addresses, std::uint32_t mask,
                                     unsigned bytes) {
  if (mask == ~0u && are_sectors_apart(addresses, bytes)) return 32;
  SmallIndex<64> touched;
  for (; mask; mask &= mask - 1) {
    const std::uint64_t address = addresses[std::countr_zero(mask)];
    const std::uint64_t first = address / sector_bytes, last = (address + bytes - 1) / sector_bytes;
    touched.at(first);
    if (last != first) touched.at(last);
  }
  return touched.size();
}

AtomicSectors atomic_sectors(const std::uint64_t* addresses, std::uint32_t mask) {
  constexpr unsigned always_known = 12;
  std::uint64_t sorted[32];
  unsigned count = 0;
  SmallIndex<64> touched;
  for (; mask; mask &= mask - 1) {
    sorted[count] = addresses[std::countr_zero(mask)];
    touched.at(sorted[count++] / sector_bytes);
  }
  if (touched.size() == count) return {count, true};
  std::sort(sorted, sorted + count);
  // Of each sector the address that most lanes have in common.
  unsigned total = 0, most = 1, same = 1;
  bool is_address_shared = false, is_sector_shared = false;
  for (unsigned i = 1; i < count; ++i) {
    const bool is_same = sorted[i] == sorted[i - 1];
    const bool is_near = sorted[i] / sector_bytes == sorted[i - 1] / sector_bytes;
    is_address_shared |= is_same;
    is_sector_shared |= is_near && !is_same;
    if (!is_near) {
      total += most;
      most = 0;
    }
    same = is_same ? same + 1 : 1;
    most = std::max(most, same);
  }
  return {total + most, touched.size() <= always_known || !is_address_shared || !is_sector_shared};
}

unsigned bypassing_sectors(const std::uint64_t* from, const std::uint64_t* to, std::uint32_t mask) {
  constexpr std::uint64_t line_bytes = 128;
  std::uint64_t written[32];
  std::pair<std::uint64_t, std::uint64_t> pairs[32];
  unsigned count = 0;
  for (unsigned lane = 32; lane-- > 0;) {
    if (!(mask >> lane & 1) || std::find(written, written + count, to[lane]) != written + count)
      continue;
    written[count] = to[lane];
    pairs[count++] = {to[lane] / sector_bytes, from[lane] / line_bytes};
  }
  std::sort(pairs, pairs + count);
  return static_cast<unsigned>(std::unique(pairs, pairs + count) - pairs);
}

unsigned wavefronts(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes,
                    bool is_load) {
  unsigned lanes = lanes_per_part(bytes), total = 0;
  if (is_load && lanes < 32 && neighbours_share(addresses, mask)) lanes *= 2;
  for (unsigned first = 0; first < 32; first += lanes) {
    std::uint32_t part = mask & (lanes == 32 ? ~0u : ((1u << lanes) - 1) << first);
    if (part) total += part_wavefronts(addresses, part, bytes);
  }
  return total;
}

unsigned counted_wavefronts(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes) {
  if (bytes == 8) return joined_wavefronts(addresses, mask, 0xFFFF, bytes);
  const auto lanes = static_cast<unsigned>(std::popcount(mask)), words = different(addresses, mask);
  if (words == 1) return (lanes + 15) / 16;
  const unsigned apart = wavefronts(addresses, mask, bytes, false),
                 joined = joined_wavefronts(addresses, mask & 0xFFFF, 0xFF, bytes) +
                          joined_wavefronts(addresses, mask & 0xFFFF0000, 0xFF0000, bytes);
  if (mask == ~0U) return joined;
  const bool are_first = (mask & (mask + 1)) == 0, is_each_alone = words == lanes;
  const bool is_known = are_first ? is_each_alone || neighbours_share(addresses, mask)
                                  : is_each_alone && joined == apart;
  return is_known ? joined : 0;
}

UpdateLoop update_loop(const std::uint64_t* addresses, std::uint32_t mask) {
  // From the last round to the first: of each bank one lane more, and perhaps one word more.
  std::uint64_t lanes[bank_count][32], words[bank_count][32];
  std::uint8_t lanes_of[bank_count] = {}, words_of[bank_count] = {};
  std::uint32_t banks = 0;
  UpdateLoop loop;
  for (; mask; mask &= mask - 1) {
    const std::uint64_t word = addresses[std::countr_zero(mask)] / 4, bank = word % bank_count;
    banks |= 1U << bank;
    lanes[bank][lanes_of[bank]++] = word;
    loop.loads = std::max<unsigned>(loop.loads, lanes_of[bank]);
  }
  unsigned most = 0;
  for (unsigned round = loop.loads; round-- > 0; loop.wavefronts += most)
    for (std::uint32_t rest = banks; rest; rest &= rest - 1) {
      const auto bank = static_cast<unsigned>(std::countr_zero(rest));
      if (round >= lanes_of[bank]) continue;
      std::uint64_t* const of_bank = words[bank];
      std::uint8_t& count = words_of[bank];
      if (std::find(of_bank, of_bank + count, lanes[bank][round]) == of_bank + count)
        of_bank[count++] = lanes[bank][round];
      most = std::max<unsigned>(most, count);
    }
  return loop;
}

unsigned ideal_wavefronts(std::uint32_t mask, unsigned bytes) {
  unsigned lanes = lanes_per_part(bytes), total = 0;
  for (unsigned first = 0; first < 32; first += lanes)
    total += (mask & (lanes == 32 ? ~0u : ((1u << lanes) - 1) << first)) != 0;
  return total;
}

}  // namespace warpwise::watch
