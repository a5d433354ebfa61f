// Pointers to shared memory that blocks leave in global memory. Another block that follows one
// finds its own memory there, as on a GPU: an address is all that there is.

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simulator/machine/warp/lanes.h"
#include "simulator/machine/worker.h"

namespace warpwise::machine {
namespace {

bool points_to_shared(std::uint64_t value) {
  return value >= code::shared_window && value < code::local_window;
}

}  // namespace

/// After a plain access to global memory. Without an order of the blocks it is a race anyway.
void Worker::follow_shared_pointers(const code::Access& access, std::uint32_t mask,
                                    const std::uint64_t* addresses) {
  for (unsigned e = 0; e < access.elements; ++e) {
    if (access.data[e] == code::no_slot || access.register_bytes[e] != sizeof(std::uint64_t))
      continue;
    const auto* values = reinterpret_cast<const std::uint64_t*>(warp_->slot(access.data[e]));
    std::uint32_t found = 0;
    for_lanes(mask, [&](unsigned lane) {
      found |= static_cast<std::uint32_t>(points_to_shared(values[lane])) << lane;
    });
    if (access.is_store && !shared_pointers_.empty())
      for_lanes(mask & ~found, [&](unsigned lane) {
        shared_pointers_.erase(addresses[lane] + e * sizeof(std::uint64_t));
      });
    for_lanes(found, [&](unsigned lane) {
      const std::uint64_t at = addresses[lane] + e * sizeof(std::uint64_t);
      if (access.is_store)
        left_shared_pointer(at);
      else
        found_shared_pointer(access.data[e], lane, at);
    });
  }
}

void Worker::left_shared_pointer(std::uint64_t at) {
  std::vector<std::uint64_t>& blocks = shared_pointers_[at];
  const auto own = std::find(blocks.begin(), blocks.end(), block_->index);
  if (own != blocks.end()) blocks.erase(own);
  blocks.push_back(block_->index);
}

/// A block that has left the same pointer there means its own memory, whichever block came last. To
/// look whether it is null does no harm: what matters is where it is followed.
void Worker::found_shared_pointer(code::Slot slot, unsigned lane, std::uint64_t at) {
  const auto left = shared_pointers_.find(at);
  if (left == shared_pointers_.end()) return;
  const std::vector<std::uint64_t>& blocks = left->second;
  if (std::find(blocks.begin(), blocks.end(), block_->index) != blocks.end()) return;
  const auto origin = static_cast<std::uint32_t>(current_ - program_.code.data());
  UndefinedLoad& load = undefined_loads_[origin];
  load.lanes |= 1u << lane;
  load.sources[lane] = {origin, warp_index_ * 32 + lane, code::Space::global, at,
                        user_call(origin, lane)};
  load.sources[lane].pointer_of = blocks.back();
  warp_->undefined().set(slot, 1u << lane, origin, 0);
}

void Worker::report_shared_pointer(const UndefinedSource& source, std::uint32_t lanes) {
  watch::Finding found = finding("out-of-bounds", {}, source.thread % 32);
  found.count = static_cast<std::uint64_t>(std::popcount(lanes));
  if (diagnoses_.count_only(found)) return;
  const code::Place& read_at = program_.places[program_.code[source.instruction].place];
  found.message = fmt::format(
      "thread {} follows a pointer to shared memory, which block {} has left in {}{}. Each "
      "block has its own shared memory: at that address this block finds its own. Pass the values "
      "on through global memory, or, inside a cluster, pass the pointer that map_shared_rank() "
      "makes.",
      thread_text(source.thread), block_text(source.pointer_of), global_text(source.address),
      read_at.line != 0 ? fmt::format(" (read in line {})", read_at.line) : "");
  diagnoses_.report(std::move(found));
}

}  // namespace warpwise::machine
