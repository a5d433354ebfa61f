#include "simulator/machine/copies.h"

#include <algorithm>
#include <bit>

#include "simulator/machine/lanes.h"

namespace warpwise::machine {
namespace {

constexpr std::uint32_t word_bytes = 4;

}  // namespace

Copies::Copies(std::uint32_t base, std::uint32_t bytes, unsigned warps)
    : base_(base), bytes_(bytes), committed_(warps), filling_(warps) {}

void Copies::start_block() {
  for (const Copy& copy : copies_) mark(copy, copy.lanes, false);
  copies_.clear();
  std::fill(committed_.begin(), committed_.end(), Counts{});
  std::fill(filling_.begin(), filling_.end(), 0u);
}

void Copies::mark(const Copy& copy, std::uint32_t lanes, bool on) {
  Bits& bits = copy.only_reads ? read_ : written_;
  for_lanes(lanes, [&](unsigned lane) {
    std::uint32_t first = (copy.at[lane] - base_) / word_bytes,
                  last = (copy.at[lane] - base_ + copy.bytes - 1) / word_bytes;
    for (std::uint32_t word = first; word <= last && word / 32 < bits.size(); ++word) {
      std::uint32_t bit = 1u << word % 32;
      bits[word / 32] = on ? bits[word / 32] | bit : bits[word / 32] & ~bit;
    }
  });
}

void Copies::add(Copy copy) {
  if (written_.empty()) {
    written_.resize(bytes_ / word_bytes / 32 + 1);
    read_.resize(written_.size());
  }
  const Counts& counts = committed_[copy.warp];
  copy.groups = copy.is_bulk ? counts.bulk : counts.copies;
  mark(copy, copy.lanes, true);
  keep(copy);
}

void Copies::keep(Copy copy) {
  if (!copy.only_reads) ++filling_[copy.warp];
  copies_.push_back(copy);
}

void Copies::forget_landed() {
  std::erase_if(copies_, [&](const Copy& copy) {
    if (copy.lanes != 0) return false;
    if (!copy.only_reads) --filling_[copy.warp];
    return true;
  });
}

void Copies::commit(unsigned warp, std::uint32_t lanes, bool bulk) {
  auto& counts = bulk ? committed_[warp].bulk : committed_[warp].copies;
  for_lanes(lanes, [&](unsigned lane) { ++counts[lane]; });
}

template <class Which>
void Copies::land(Which which, const Landed& landed) {
  std::vector<std::pair<Copy, std::uint32_t>> done;
  for (Copy& copy : copies_) {
    std::uint32_t lanes = 0;
    for_lanes(copy.lanes, [&](unsigned lane) {
      if (which(copy, lane)) lanes |= 1u << lane;
    });
    if (!lanes) continue;
    mark(copy, lanes, false);
    copy.lanes &= ~lanes;
    done.emplace_back(copy, lanes);
  }
  if (done.empty()) return;
  forget_landed();
  for (const auto& [copy, lanes] : done) landed(copy, lanes);
}

void Copies::wait(unsigned warp, std::uint32_t lanes, std::uint32_t groups, bool bulk,
                  const Landed& landed) {
  const auto& counts = bulk ? committed_[warp].bulk : committed_[warp].copies;
  land(
      [&](const Copy& copy, unsigned lane) {
        return copy.warp == warp && copy.is_bulk == bulk && !(bulk && copy.barrier != no_barrier) &&
               (lanes >> lane & 1) && copy.groups[lane] + std::uint64_t{groups} < counts[lane];
      },
      landed);
}

void Copies::wait_all(unsigned warp, std::uint32_t lanes, const Landed& landed) {
  land([&](const Copy& copy,
           unsigned lane) { return copy.warp == warp && !copy.is_bulk && (lanes >> lane & 1); },
       landed);
}

void Copies::bind(unsigned warp, std::uint32_t lanes, std::uint32_t barrier, bool phase) {
  std::vector<Copy> rest;
  for (Copy& copy : copies_) {
    bool is_free = copy.warp == warp && !copy.is_bulk && copy.barrier == no_barrier;
    if (!is_free || !(copy.lanes & lanes)) continue;
    if (std::uint32_t others = copy.lanes & ~lanes) {
      rest.push_back(copy);
      rest.back().lanes = others;
      copy.lanes &= lanes;
    }
    copy.barrier = barrier;
    copy.phase = phase;
  }
  for (const Copy& copy : rest) keep(copy);
}

void Copies::phase_ended(std::uint32_t barrier, bool phase) {
  land([&](const Copy& copy, unsigned) { return copy.barrier == barrier && copy.phase == phase; },
       [](const Copy&, std::uint32_t) {});
}

bool Copies::marked(const Bits& bits, std::uint64_t address, unsigned bytes) const {
  std::uint64_t first = (address - base_) / word_bytes,
                last = (address - base_ + bytes - 1) / word_bytes;
  for (std::uint64_t word = first; word <= last && word / 32 < bits.size(); ++word)
    if (bits[word / 32] >> word % 32 & 1) return true;
  return false;
}

const Copies::Copy* Copies::copy_at(std::uint64_t address, unsigned bytes, bool is_store) const {
  for (const Copy& copy : copies_) {
    if (copy.only_reads && !is_store) continue;
    for (std::uint32_t lanes = copy.lanes; lanes; lanes &= lanes - 1) {
      std::uint64_t start = copy.at[static_cast<unsigned>(std::countr_zero(lanes))];
      if (address < start + copy.bytes && start < address + bytes) return &copy;
    }
  }
  return nullptr;
}

Copies::Hit Copies::in_the_way(std::uint32_t mask, const std::uint64_t* addresses, unsigned bytes,
                               bool is_store) const {
  for (; mask; mask &= mask - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(mask));
    bool hit = marked(written_, addresses[lane], bytes) ||
               (is_store && marked(read_, addresses[lane], bytes));
    if (!hit) continue;
    if (const Copy* copy = copy_at(addresses[lane], bytes, is_store)) return {lane, copy};
  }
  return {0, nullptr};
}

}  // namespace warpwise::machine
