#include "simulator/machine/copies/bulk_targets.h"

#include <algorithm>

#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

/// The most targets that are kept of a kernel that never waits for the end of its stores.
constexpr std::size_t most_targets = 256;

bool is_one_of(const BulkTargets::Target& target, unsigned warp, std::uint32_t lanes) {
  return target.warp == warp && lanes >> target.lane & 1;
}

}  // namespace

void BulkTargets::add(const Target& target) {
  if (targets_.empty()) lowest_ = ~0ull, above_ = 0;
  if (targets_.size() == most_targets) targets_.pop_front();
  targets_.push_back(target);
  lowest_ = std::min(lowest_, target.address);
  above_ = std::max(above_, target.address + target.bytes);
}

void BulkTargets::commit(unsigned warp, std::uint32_t lanes) {
  for (Target& target : targets_)
    if (is_one_of(target, warp, lanes)) ++target.groups_behind;
}

void BulkTargets::wait(unsigned warp, std::uint32_t lanes, std::uint32_t groups) {
  std::erase_if(targets_, [&](const Target& target) {
    return is_one_of(target, warp, lanes) && target.groups_behind > groups;
  });
}

BulkTargets::Hit BulkTargets::in_the_way(std::uint32_t mask, const std::uint64_t* addresses,
                                         unsigned bytes, bool is_atomic, std::uint64_t lowest,
                                         std::uint64_t highest) const {
  Hit hit;
  // Mostly the stored bytes are elsewhere.
  if (lowest >= above_ || highest + bytes <= lowest_) return hit;
  for_lanes(mask, [&](unsigned lane) {
    const std::uint64_t first = addresses[lane], above = first + bytes;
    if (hit.target) return;
    for (const Target& target : targets_)
      if (first < target.address + target.bytes && target.address < above &&
          !(is_atomic && target.updates))
        hit = {lane, &target};
  });
  return hit;
}

}  // namespace warpwise::machine
