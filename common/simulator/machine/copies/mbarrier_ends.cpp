#include <fmt/format.h>

#include <bit>

#include "simulator/machine/worker.h"

/// The end of mbarriers: once a thread has invalidated one, no thread may wait there. A thread that
/// waits there without an order between the two mostly comes first on a GPU and sees the phase end;
/// so it is here. A wait is not compared with a later end: the thread has gone on, and whatever
/// lets the other thread know that, a vote or a counter, will do.
namespace warpwise::machine {

/// Those of the lanes that may come before the thread that has invalidated the mbarrier.
std::uint32_t Worker::lanes_beside_end(const Block::MBarrierAt& known, std::uint32_t lanes) {
  if (&owner() != block_ || !block_->order) return lanes;
  const Block::MBarrierAt::Use& end = *known.invalidated;
  return block_->order->unordered(warp_index_, lanes, end.warp, end.lane, end.clock);
}

void Worker::invalidate_mbarrier(const code::Access& access, Block::MBarrierAt& known,
                                 std::uint32_t lanes) {
  const std::uint32_t clock = block_->order ? block_->order->clock(warp_index_) : 0;
  known.invalidated = {warp_index_, static_cast<unsigned>(std::countr_zero(lanes)), clock,
                       access.site};
}

/// @param lanes that have seen a phase end.
void Worker::report_late_wait(const code::Access& access, const Block::MBarrierAt& known,
                              std::uint32_t lanes) {
  if (&owner() != block_ || !block_->order) return;
  const Block::MBarrierAt::Use& end = *known.invalidated;
  const std::uint32_t beside = lanes_beside_end(known, lanes);
  if (beside == 0) return;
  const auto lane = static_cast<unsigned>(std::countr_zero(beside));
  watch::Finding found = finding("race", {}, lane);
  if (diagnoses_.count_only(found)) return;
  found.other_line = line_of(end.site);
  found.message = fmt::format(
      "thread {} waits at the mbarrier at {} that thread {} invalidates{}, with nothing in between "
      "to order them. Only when all threads have waited may a thread invalidate it: a "
      "__syncthreads() before that is missing.",
      thread_text(warp_index_ * 32 + lane), shared_text(known.address),
      thread_text(end.warp * 32 + end.lane), site_text(access.site, end.site));
  diagnoses_.report(std::move(found));
}

}  // namespace warpwise::machine
