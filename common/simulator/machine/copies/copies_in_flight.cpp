#include "simulator/machine/copies/copies_in_flight.h"

#include <algorithm>
#include <bit>

#include "simulator/isa/fast_loops.h"
#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

constexpr std::uint32_t word_bytes = 4;

/// Calls visit(element, bits) for the elements of 32 bits that hold those from first to last.
template <class Visit>
void for_bits(std::uint64_t first, std::uint64_t last, std::size_t elements, Visit visit) {
  for (std::uint64_t element = first / 32; element <= last / 32 && element < elements; ++element) {
    const std::uint32_t from = element == first / 32 ? ~0u << first % 32 : ~0u,
                        to = element == last / 32 ? ~0u >> (31 - last % 32) : ~0u;
    visit(element, from & to);
  }
}

/// Lanes that have begun more than so many groups since their own.
WARPWISE_FAST_LOOPS std::uint32_t lanes_before(const std::array<std::uint32_t, 32>& groups,
                                               const std::array<std::uint32_t, 32>& committed,
                                               std::uint32_t more_than) {
  std::uint32_t lanes = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    lanes |= std::uint32_t{committed[lane] - groups[lane] > more_than} << lane;
  return lanes;
}

}  // namespace

CopiesInFlight::CopiesInFlight(std::uint32_t base, std::uint32_t bytes, unsigned warps)
    : base_(base), bytes_(bytes), copies_(warps), committed_(warps), filling_(warps) {}

void CopiesInFlight::start_block() {
  for (std::vector<Begun>& of_warp : copies_) {
    for (const Begun& begun : of_warp) mark(begun.copy, begun.copy.lanes, false);
    of_warp.clear();
  }
  count_ = 0;
  std::fill(committed_.begin(), committed_.end(), Counts{});
  std::fill(filling_.begin(), filling_.end(), 0u);
  filling_warps_ = 0;
}

void CopiesInFlight::mark(const Copy& copy, std::uint32_t lanes, bool on) {
  Bits& bits = copy.only_reads ? read_ : written_;
  for_lanes(lanes, [&](unsigned lane) {
    const std::uint32_t offset = copy.at[lane] - base_;
    for_bits(offset / word_bytes, (offset + copy.bytes - 1) / word_bytes, bits.size(),
             [&](std::size_t at, std::uint32_t words) {
               bits[at] = on ? bits[at] | words : bits[at] & ~words;
             });
  });
}

void CopiesInFlight::add(const Copy& copy) {
  if (written_.empty()) {
    written_.resize(bytes_ / word_bytes / 32 + 1);
    read_.resize(written_.size());
  }
  mark(copy, copy.lanes, true);
  if (copy.of == Of::copies && !copy.only_reads) forget_same_place(copy);
  keep(copy);
  if (copy.of != Of::products)
    copies_[copy.warp].back().copy.groups = committed_[copy.warp][copy.of];
}

void CopiesInFlight::forget_same_place(const Copy& copy) {
  std::vector<Begun>& begun = copies_[copy.warp];
  const auto is_same = [&](const Begun& other) {
    return other.copy.site == copy.site && other.copy.lanes == copy.lanes &&
           other.copy.bytes == copy.bytes && other.copy.of == copy.of && !other.copy.only_reads &&
           other.copy.barrier == copy.barrier && other.copy.at == copy.at;
  };
  const auto found = std::find_if(begun.rbegin(), begun.rend(), is_same);
  if (found == begun.rend()) return;
  begun.erase(std::next(found).base());
  --count_;
  count_filling(copy.warp, -1);
}

void CopiesInFlight::count_filling(unsigned warp, int more) {
  filling_[warp] += static_cast<unsigned>(more);
  const std::uint32_t bit = 1u << warp;
  filling_warps_ = filling_[warp] > 0 ? filling_warps_ | bit : filling_warps_ & ~bit;
}

void CopiesInFlight::keep(const Copy& copy) {
  if (!copy.only_reads) count_filling(copy.warp, 1);
  copies_[copy.warp].push_back({copy, next_number_++});
  ++count_;
}

void CopiesInFlight::commit(unsigned warp, std::uint32_t lanes, Of of) {
  auto& counts = committed_[warp][of];
  for (unsigned lane = 0; lane < 32; ++lane) counts[lane] += lanes >> lane & 1;
}

template <class Which>
void CopiesInFlight::land(unsigned warp, Which which, const Landed& landed) {
  std::vector<Begun>& begun = copies_[warp];
  std::size_t kept = 0;
  for (std::size_t i = 0; i < begun.size(); ++i) {
    Copy& copy = begun[i].copy;
    if (const std::uint32_t lanes = which(copy) & copy.lanes) {
      mark(copy, lanes, false);
      copy.lanes &= ~lanes;
      landed(copy, lanes);
    }
    if (copy.lanes) {
      if (kept != i) begun[kept] = begun[i];
      ++kept;
    } else if (!copy.only_reads) {
      count_filling(warp, -1);
    }
  }
  count_ -= begun.size() - kept;
  begun.resize(kept);
}

void CopiesInFlight::wait(unsigned warp, std::uint32_t lanes, std::uint32_t groups, Of of,
                          const Landed& landed) {
  const auto& counts = committed_[warp][of];
  const auto which = [&](const Copy& copy) {
    const bool is_meant = copy.of == of && !(of == Of::bulk && copy.barrier != no_barrier);
    return is_meant ? lanes & lanes_before(copy.groups, counts, groups) : 0;
  };
  land(warp, which, landed);
}

void CopiesInFlight::end_products(unsigned first_warp, std::uint32_t group) {
  const auto which = [&](const Copy& copy) {
    return copy.of == Of::products && copy.groups[0] <= group ? ~0u : 0;
  };
  const std::size_t before = count_;
  land(first_warp, which, [](const Copy&, std::uint32_t) {});
  if (count_ == before) return;
  // Those that go on may read the same tile.
  for (const Begun& begun : copies_[first_warp])
    if (begun.copy.only_reads) mark(begun.copy, begun.copy.lanes, true);
}

void CopiesInFlight::wait_all(unsigned warp, std::uint32_t lanes, const Landed& landed) {
  land(
      warp, [&](const Copy& copy) { return copy.of == Of::copies ? lanes : 0; }, landed);
}

void CopiesInFlight::bind(unsigned warp, std::uint32_t lanes, std::uint32_t barrier, bool phase) {
  const std::size_t before = copies_[warp].size();
  for (std::size_t i = 0; i < before; ++i) {
    Copy& copy = copies_[warp][i].copy;
    const bool is_free = copy.of == Of::copies && copy.barrier == no_barrier;
    if (!is_free || !(copy.lanes & lanes)) continue;
    Copy rest = copy;
    rest.lanes &= ~lanes;
    copy.lanes &= lanes;
    copy.barrier = barrier;
    copy.phase = phase;
    if (rest.lanes) keep(rest);
  }
}

void CopiesInFlight::phase_ended(std::uint32_t barrier, bool phase, const Landed& landed) {
  const auto which = [&](const Copy& copy) {
    return copy.barrier == barrier && copy.phase == phase ? ~0u : 0;
  };
  for (unsigned warp = 0; warp < copies_.size(); ++warp) land(warp, which, landed);
}

/// @param first, last addresses of bytes: whether a word of those in between is marked.
bool CopiesInFlight::marked(const Bits& bits, std::uint64_t first, std::uint64_t last) const {
  std::uint32_t found = 0;
  for_bits((first - base_) / word_bytes, (last - base_) / word_bytes, bits.size(),
           [&](std::size_t at, std::uint32_t words) { found |= bits[at] & words; });
  return found != 0;
}

/// The first that was begun.
const CopiesInFlight::Copy* CopiesInFlight::copy_at(std::uint64_t address, unsigned bytes,
                                                    bool is_store) const {
  const Begun* first = nullptr;
  for (const std::vector<Begun>& of_warp : copies_)
    for (const Begun& begun : of_warp) {
      const Copy& copy = begun.copy;
      if ((copy.only_reads && !is_store) || (first && first->number < begun.number)) continue;
      for_lanes(copy.lanes, [&](unsigned lane) {
        const std::uint64_t start = copy.at[lane];
        if (address < start + copy.bytes && start < address + bytes) first = &begun;
      });
    }
  return first ? &first->copy : nullptr;
}

CopiesInFlight::Hit CopiesInFlight::in_the_way(std::uint32_t mask, const std::uint64_t* addresses,
                                               unsigned bytes, bool is_store, std::uint64_t lowest,
                                               std::uint64_t highest) const {
  const auto meets = [&](std::uint64_t first, std::uint64_t last) {
    return marked(written_, first, last) || (is_store && marked(read_, first, last));
  };
  // Mostly the target of a copy is elsewhere.
  if (!meets(lowest, highest + bytes - 1)) return {0, nullptr};
  for (; mask; mask &= mask - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(mask));
    if (!meets(addresses[lane], addresses[lane] + bytes - 1)) continue;
    if (const Copy* copy = copy_at(addresses[lane], bytes, is_store)) return {lane, copy};
  }
  return {0, nullptr};
}

}  // namespace warpwise::machine
