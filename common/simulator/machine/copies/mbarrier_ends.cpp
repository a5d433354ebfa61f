#include <fmt/format.h>

#include <bit>

#include "simulator/machine/copies/mbarriers.h"

/// The end of mbarriers: once a thread has invalidated one, no thread may wait there. A thread that
/// waits there without an order between the two mostly comes first on a GPU and sees the phase end;
/// so it is here. A wait is not compared with a later end: the thread has gone on, and whatever
/// lets the other thread know that, a vote or a counter, will do.
namespace warpwise::machine {

/// Those of the lanes that may come before the thread that has invalidated the mbarrier.
std::uint32_t Mbarriers::lanes_beside_end(const Block::MBarrierAt& known, std::uint32_t lanes) {
  if (&here_.owner() != here_.block_ || !here_.block_->order) return lanes;
  const Block::MBarrierAt::Use& end = *known.invalidated;
  return here_.block_->order->unordered(here_.warp_index_, lanes, end.warp, end.lane, end.clock);
}

void Mbarriers::invalidate(const code::Access& access, Block::MBarrierAt& known,
                           std::uint32_t lanes) {
  const std::uint32_t clock =
      here_.block_->order ? here_.block_->order->clock(here_.warp_index_) : 0;
  known.invalidated = {here_.warp_index_, static_cast<unsigned>(std::countr_zero(lanes)), clock,
                       access.site};
}

/// @param lanes that have seen a phase end.
void Mbarriers::report_late_wait(const code::Access& access, const Block::MBarrierAt& known,
                                 std::uint32_t lanes) {
  if (&here_.owner() != here_.block_ || !here_.block_->order) return;
  const Block::MBarrierAt::Use& end = *known.invalidated;
  const std::uint32_t beside = lanes_beside_end(known, lanes);
  if (beside == 0) return;
  const auto lane = static_cast<unsigned>(std::countr_zero(beside));
  watch::Finding found = here_.finding("race", {}, lane);
  if (here_.diagnoses_.count_only(found)) return;
  found.other_line = here_.line_of(end.site);
  found.message = fmt::format(
      "thread {} waits at the mbarrier at {} that thread {} invalidates{}, with nothing in between "
      "to order them. Only when all threads have waited may a thread invalidate it: a "
      "__syncthreads() before that is missing.",
      here_.thread_text(here_.warp_index_ * 32 + lane), here_.shared_text(known.address),
      here_.thread_text(end.warp * 32 + end.lane), here_.site_text(access.site, end.site));
  here_.diagnoses_.report(std::move(found));
}

}  // namespace warpwise::machine
