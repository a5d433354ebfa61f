#include "simulator/machine/checks/races/lost_updates.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {

void LostUpdates::watch(const watch::AccessEvent& event) {
  if (std::has_single_bit(event.mask) || here_.is_of_library(event.site)) return;
  const auto first = static_cast<unsigned>(std::countr_zero(event.mask));
  const std::uint64_t address = event.addresses[first];
  std::uint32_t same = 0;
  for_lanes(event.mask, [&](unsigned lane) {
    if (event.addresses[lane] == address) same |= 1u << lane;
  });
  if (std::has_single_bit(same)) return;
  Load& last = loads_[here_.warp_index_ % loads_.size()];
  const std::uint64_t warp = here_.block_->order->in_grid(here_.warp_index_);
  if (!event.is_store) {
    last = {warp, address, event.site, same};
    return;
  }
  const std::uint32_t both = last.lanes & same;
  if (last.warp != warp || last.address != address || std::popcount(both) < 2) return;
  const code::Place &loaded = here_.place_of(last.site), &stored = here_.place_of(event.site);
  if (stored.line == 0 || loaded.line != stored.line || loaded.file != stored.file) return;
  report(event, first, static_cast<unsigned>(std::popcount(both)));
}

void LostUpdates::report(const watch::AccessEvent& store, unsigned lane, unsigned lanes) {
  watch::Finding found = here_.finding("race", {}, lane);
  found.severity = watch::Severity::note;
  found.memory = watch::Finding::Memory::global;
  if (here_.diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "{} threads of a warp read {} here and then store to it: one of their stores stays, and what "
      "the others added is lost. volatile makes the compiler load and store each time; it makes no "
      "atomic of the two. Are all to count? Use atomicAdd.",
      lanes, here_.global_text(store.addresses[lane]));
  here_.diagnoses_.report(std::move(found));
}

}  // namespace warpwise::machine
