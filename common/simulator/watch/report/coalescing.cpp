#include "simulator/watch/report/coalescing.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "simulator/isa/fast_loops.h"
#include "simulator/watch/cells/line_lanes.h"
#include "simulator/watch/cells/small_index.h"

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

/// True where all lanes of the mask have the address of the lane at distance `apart`, if that also
/// takes part.
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

/// Counts the sectors where lanes begin by the low bits of their numbers, which are mostly
/// different.
/// @return none where some have the same low bits, and perhaps others.
std::optional<unsigned> sectors_by_low_bits(const std::uint64_t* addresses, std::uint32_t mask) {
  constexpr unsigned words = 128;
  std::uint64_t seen[words] = {};
  unsigned different = 0;
  const auto add = [&](unsigned lane) {
    const std::uint64_t sector = addresses[lane] / sector_bytes;
    // Neighbours are kept in different words, so that none waits for another.
    std::uint64_t& word = seen[sector % words];
    const std::uint64_t bit = std::uint64_t{1} << sector / words % 64;
    different += (word & bit) == 0;
    word |= bit;
  };
  if (mask == ~0u)
    for (unsigned lane = 0; lane < 32; ++lane) add(lane);
  else
    for (std::uint32_t left = mask; left; left &= left - 1)
      add(static_cast<unsigned>(std::countr_zero(left)));
  return different == static_cast<unsigned>(std::popcount(mask)) ? std::optional(different)
                                                                 : std::nullopt;
}

/// All bits in which addresses differ.
std::uint64_t differing_bits(const std::uint64_t* addresses, std::uint32_t mask) {
  const std::uint64_t any = addresses[std::countr_zero(mask)];
  std::uint64_t differing = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    differing |= (addresses[lane] ^ any) & (0 - std::uint64_t{mask >> lane & 1});
  return differing;
}

/// True where no lane reaches into a second sector.
bool lie_in_sectors(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes) {
  std::uint64_t beyond = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    beyond |= (addresses[lane] % sector_bytes + bytes - 1) / sector_bytes &
              (0 - std::uint64_t{mask >> lane & 1});
  return beyond == 0;
}

/// Calls visit(sector) for those that lanes touch, some more than once.
template <class Visit>
void for_sectors(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, Visit visit) {
  for (; mask; mask &= mask - 1) {
    const std::uint64_t address = addresses[std::countr_zero(mask)];
    const std::uint64_t first = address / sector_bytes, last = (address + bytes - 1) / sector_bytes;
    visit(first);
    if (last != first) visit(last);
  }
}

/// True where each lane of the mask is so many bytes or more after the one before.
bool ascend(const std::uint64_t* addresses, std::uint32_t mask, std::uint64_t bytes) {
  bool do_ascend = true;
  std::uint64_t next = 0;
  for (std::uint32_t left = mask; left; left &= left - 1) {
    const std::uint64_t address = addresses[std::countr_zero(left)];
    do_ascend &= address >= next;
    next = address + bytes;
  }
  return do_ascend;
}

/// True where all lanes touch sectors of their own, each after that of the lane before.
bool are_sectors_apart(const std::uint64_t* addresses, unsigned bytes) {
  std::uint64_t before[32] = {addresses[0] - sector_bytes};
  std::copy(addresses, addresses + 31, before + 1);
  std::uint64_t distances = 0, beyond = 0;  // too small a distance is a negative number
  for (unsigned lane = 0; lane < 32; ++lane) {
    distances |= addresses[lane] - before[lane] - sector_bytes;
    beyond |= (addresses[lane] % sector_bytes + bytes - 1) / sector_bytes;
  }
  return distances >> 63 == 0 && beyond == 0;
}

}  // namespace

WARPWISE_FAST_LOOPS unsigned sectors(const std::uint64_t* addresses, std::uint32_t mask,
                                     unsigned bytes) {
  if (mask == ~0u && are_sectors_apart(addresses, bytes)) return 32;
  constexpr unsigned few = 64;
  if (differing_bits(addresses, mask) < few / 2 * sector_bytes) {
    std::uint64_t touched = 0;
    for_sectors(addresses, mask, bytes,
                [&](std::uint64_t sector) { touched |= std::uint64_t{1} << sector % few; });
    return static_cast<unsigned>(std::popcount(touched));
  }
  if (lie_in_sectors(addresses, mask, bytes))
    if (const auto count = sectors_by_low_bits(addresses, mask)) return *count;
  SmallIndex<64> touched;
  for_sectors(addresses, mask, bytes, [&](std::uint64_t sector) { touched.at(sector); });
  return touched.size();
}

AtomicSectors atomic_sectors(const std::uint64_t* addresses, std::uint32_t mask) {
  constexpr unsigned always_known = 12;
  SmallIndex<32> sectors, words;
  std::uint8_t sector_of[32];
  for_cells(mask, [&](unsigned lane) {
    sector_of[lane] = static_cast<std::uint8_t>(sectors.at(addresses[lane] / sector_bytes));
  });
  if (sectors.size() == static_cast<unsigned>(std::popcount(mask))) return {sectors.size(), true};
  // The lanes of each address, and for each sector those of the address that most have in common.
  std::uint8_t lanes[32] = {}, most[32] = {};
  unsigned total = 0;
  bool is_address_shared = false;
  for_cells(mask, [&](unsigned lane) {
    const unsigned word = words.at(addresses[lane]);
    is_address_shared |= lanes[word] != 0;
    if (++lanes[word] <= most[sector_of[lane]]) return;
    ++most[sector_of[lane]];
    ++total;
  });
  const bool is_sector_shared = words.size() != sectors.size();
  return {total, sectors.size() <= always_known || !is_address_shared || !is_sector_shared};
}

unsigned bypassing_sectors(const std::uint64_t* from, const std::uint64_t* to, std::uint32_t mask) {
  constexpr std::uint64_t line_bytes = 128, copy_bytes = 16;
  unsigned count = 0;
  if (ascend(to, mask, copy_bytes)) {  // two lanes at most write one sector, one after the other
    std::uint64_t sector = ~0ull, line = ~0ull;
    for (; mask; mask &= mask - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(mask));
      const std::uint64_t this_sector = to[lane] / sector_bytes,
                          this_line = from[lane] / line_bytes;
      count += this_sector != sector || this_line != line;
      sector = this_sector;
      line = this_line;
    }
    return count;
  }
  SmallIndex<64> written, sectors, lines;
  std::uint32_t pairs[32] = {};  // of a sector, the lines
  for (std::uint32_t left = mask; left;) {
    const auto lane = static_cast<unsigned>(31 - std::countl_zero(left));
    left &= ~(1u << lane);
    const unsigned before = written.size();
    written.at(to[lane]);
    if (written.size() == before) continue;
    std::uint32_t& of_sector = pairs[sectors.at(to[lane] / sector_bytes)];
    const std::uint32_t line = 1u << lines.at(from[lane] / line_bytes);
    count += (of_sector & line) == 0;
    of_sector |= line;
  }
  return count;
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
