// Races of blocks of a cluster with each other, in their shared memory.

#include <fmt/format.h>

#include <utility>

#include "simulator/machine/access/addresses.h"
#include "simulator/machine/checks/races/races.h"

namespace warpwise::machine {
namespace {

/// Where a block's shared memory would start if all blocks had theirs side by side: no address that
/// a program could have.
std::uint64_t cluster_address(const Block& block) {
  constexpr std::uint64_t start = 1ull << 56, most_bytes = 1ull << 20;
  return start + block.index * most_bytes;
}

}  // namespace

/// Threads of different blocks at a block's shared memory, which has addresses of its own for this.
void Races::watch_cluster(const code::Access& access, const watch::AccessEvent& event) {
  // Flags order blocks in ways that are followed in global memory alone.
  const bool is_flag =
      event.is_strong() && (!event.is_atomic || event.order != code::Order::relaxed);
  if (is_flag || access.is_copy) return cluster_races_.reset();
  const Block& memory = here_.owner();
  const std::uint64_t start = cluster_address(memory);
  alignas(64) std::uint64_t addresses[32];
  for (unsigned lane = 0; lane < 32; ++lane)
    addresses[lane] = start + (event.addresses[lane] - code::shared_base);
  watch::AccessEvent moved = event;
  moved.addresses = addresses;
  moved.is_shared = false;
  const watch::StoredValues values =
      stored_values(access, reinterpret_cast<std::uint64_t>(memory.shared.data()) - start);
  const auto race = cluster_races_->access(*here_.block_->order, here_.warp_index_, moved,
                                           watch::AddressShape(moved), values);
  if (!race) return;
  // Races of a block's threads with each other at its own memory are found by its own checker.
  const bool is_own = race->other_warp / here_.block_->warps.size() == here_.block_->index;
  if (!is_own || &memory != here_.block_) report_cluster_race(access, *race);
}

void Races::report_cluster_race(const code::Access& access, const watch::GlobalRaces::Race& race) {
  watch::Finding found = here_.finding("race", {}, race.lane);
  if (here_.diagnoses_.count_only(found)) return;
  found.other_line = here_.line_of(race.other_site);
  const std::uint64_t warps = here_.block_->warps.size(), other_block = race.other_warp / warps;
  const auto other = static_cast<std::uint32_t>(race.other_warp % warps * 32 + race.other_lane);
  const auto offset = static_cast<std::uint32_t>(race.address - cluster_address(here_.owner()));
  found.message = fmt::format(
      "thread {} {} {} of block {} that thread {} of block {} {}{}, with nothing in between to "
      "order "
      "them. Is a cluster.sync() missing?",
      here_.thread_text(here_.warp_index_ * 32 + race.lane), verb(access),
      here_.shared_text(code::shared_base + offset), here_.block_text(here_.owner().index),
      here_.thread_text(other), here_.block_text(other_block),
      race.other_is_store ? "writes" : "reads", here_.site_text(access.site, race.other_site));
  here_.diagnoses_.report(std::move(found));
}

}  // namespace warpwise::machine
