#include "simulator/machine/checks/shared_pointers.h"

#include <algorithm>

#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

bool points_to_shared(std::uint64_t value) {
  return value >= code::shared_window && value < code::local_window;
}

}  // namespace

void SharedPointers::follow(const code::Access& access, std::uint32_t mask,
                            const std::uint64_t* addresses) {
  for (unsigned e = 0; e < access.elements; ++e) {
    if (access.data[e] == code::no_slot || access.register_bytes[e] != sizeof(std::uint64_t))
      continue;
    const auto* values = reinterpret_cast<const std::uint64_t*>(here_.warp_->slot(access.data[e]));
    std::uint32_t found = 0;
    for_lanes(mask, [&](unsigned lane) {
      found |= static_cast<std::uint32_t>(points_to_shared(values[lane])) << lane;
    });
    if (access.is_store && !left_.empty())
      for_lanes(mask & ~found,
                [&](unsigned lane) { left_.erase(addresses[lane] + e * sizeof(std::uint64_t)); });
    for_lanes(found, [&](unsigned lane) {
      const std::uint64_t at = addresses[lane] + e * sizeof(std::uint64_t);
      if (access.is_store)
        leave(at);
      else
        find(access.data[e], lane, at);
    });
  }
}

void SharedPointers::leave(std::uint64_t at) {
  std::vector<std::uint64_t>& blocks = left_[at];
  const auto own = std::find(blocks.begin(), blocks.end(), here_.block_->index);
  if (own != blocks.end()) blocks.erase(own);
  blocks.push_back(here_.block_->index);
}

/// A block that has left the same pointer there means its own memory, whichever block came last. To
/// look whether it is null does no harm: what matters is where it is followed.
void SharedPointers::find(code::Slot slot, unsigned lane, std::uint64_t at) {
  const auto left = left_.find(at);
  if (left == left_.end()) return;
  const std::vector<std::uint64_t>& blocks = left->second;
  if (std::find(blocks.begin(), blocks.end(), here_.block_->index) != blocks.end()) return;
  const auto origin = static_cast<std::uint32_t>(here_.current_ - here_.program_.code.data());
  UndefinedSource source = {origin, here_.warp_index_ * 32 + lane, code::Space::global, at,
                            here_.user_call(origin, lane)};
  source.pointer_of = blocks.back();
  uninitialized_.note_source(lane, source);
  here_.warp_->undefined().set(slot, 1u << lane, origin, 0);
}

}  // namespace warpwise::machine
