#include "simulator/machine/checks/races/first_stores.h"

#include <fmt/format.h>

#include <utility>

#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {

void FirstStores::keep(const watch::AccessEvent& event) {
  constexpr std::size_t most_kept = 1 << 20;
  constexpr auto never_written = static_cast<std::uint8_t>(memory::Validity::never_written);
  for_lanes(event.mask, [&](unsigned lane) {
    const std::uint64_t address = event.addresses[lane];
    const bool is_first = *here_.grid_.memory.validity(address) == never_written;
    const auto kept = kept_.find(address);
    if (kept == kept_.end() && (!is_first || kept_.size() == most_kept)) return;
    kept_[address] = {here_.block_->order->in_grid(here_.warp_index_), lane,
                      here_.block_->order->clock(here_.warp_index_), event.site};
  });
}

void FirstStores::find(const watch::AccessEvent& event) {
  // CUB and cooperative groups know of orders that the model does not.
  if (kept_.empty() || here_.place_of(event.site).is_cubs || here_.is_of_group(event.site)) return;
  const watch::HappensBefore& order = *here_.block_->order;
  const Store* first = nullptr;
  unsigned first_lane = 0;
  std::uint64_t count = 0;
  for_lanes(event.mask, [&](unsigned lane) {
    const auto kept = kept_.find(event.addresses[lane]);
    if (kept == kept_.end()) return;
    const Store& store = kept->second;
    if (store.warp / order.warps() == order.block() ||
        !order.unordered_in_grid(here_.warp_index_, 1u << lane, store.warp, store.lane,
                                 store.clock) ||
        count++ != 0)
      return;
    first = &store;
    first_lane = lane;
  });
  if (count == 0) return;
  watch::Finding found = here_.finding("uninitialized", {}, first_lane);
  found.count = count;
  found.memory = watch::Finding::Memory::global;
  if (here_.diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "thread {} reads {}, which nothing had written before this launch, and which thread {} of "
      "block {} writes{}. Nothing orders the two: in another run it may find the old content. Set "
      "a flag or counter before the launch, by cudaMemset. Wait for data by a flag, with a "
      "__threadfence() before it is set, and one after it is seen.",
      here_.thread_text(here_.warp_index_ * 32 + first_lane),
      here_.global_text(event.addresses[first_lane]),
      here_.thread_text(static_cast<std::uint32_t>(first->warp % order.warps() * 32 + first->lane)),
      here_.block_text(first->warp / order.warps()), here_.site_text(event.site, first->site));
  here_.diagnoses_.report(std::move(found));
}

void FirstStores::forget(const watch::VectorClock& past) {
  std::erase_if(kept_, [&](const auto& at) {
    return past.covers(at.second.warp, at.second.lane, at.second.clock);
  });
}

}  // namespace warpwise::machine
