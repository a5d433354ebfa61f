#include <fmt/format.h>

#include <bit>

#include "simulator/machine/worker.h"

/// Asynchronous copies that threads wait for, and accesses that should have waited.
namespace warpwise::machine {

void Worker::wait_copies(const code::Operation& operation, std::uint32_t mask, Copies::Of of) {
  if (of == Copies::Of::bulk && block_->bulk_targets.any() && !operation.only_reads)
    block_->bulk_targets.wait(warp_index_, mask, groups_to_leave(operation, mask));
  if (!block_->copies.any()) return;
  auto landed = [&](const Copies::Copy& copy, std::uint32_t lanes) { note_landed(copy, lanes); };
  if (!operation.s[0].is_there()) return block_->copies.wait_all(warp_index_, mask, landed);
  block_->copies.wait(warp_index_, mask, groups_to_leave(operation, mask), of, landed);
}

/// Among copies that are waited for, how many groups may stay in flight.
std::uint32_t Worker::groups_to_leave(const code::Operation& operation, std::uint32_t mask) {
  const auto lane = static_cast<unsigned>(std::countr_zero(mask));
  return static_cast<std::uint32_t>(lane_value(operation.s[0], lane));
}

/// To the race checker the thread that waited has written, or read, only now: others need a barrier
/// after the wait.
void Worker::note_landed(const Copies::Copy& copy, std::uint32_t lanes) {
  if (!block_->races) return;
  alignas(64) std::uint64_t addresses[32];
  for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = copy.at[lane];
  watch::AccessEvent event{};
  event.site = copy.site;
  event.mask = lanes;
  event.addresses = addresses;
  event.bytes = copy.bytes;
  event.is_consecutive = watch::AddressShape(addresses, lanes, copy.bytes).is_consecutive;
  event.is_shared = true;
  event.is_store = !copy.only_reads;
  // Races with what came before were found when the copy began, or by check_copies.
  block_->races->access(warp_index_, event, [](unsigned, unsigned) { return true; });
}

/// Copies that end with a phase of the mbarrier have come, for the threads that have seen its end.
void Worker::end_copies(std::uint32_t barrier, bool phase) {
  Block& memory = owner();
  const bool has_order = &memory == block_ && memory.order.has_value();
  memory.copies.phase_ended(barrier, phase, [&](const Copies::Copy& copy, std::uint32_t lanes) {
    if (has_order && !copy.only_reads) memory.arrived_copies.add(copy, lanes);
  });
}

/// Reports an access by a thread that cannot know yet that a copy has come: another has waited.
void Worker::check_arrived_copies(const code::Access& access, std::uint32_t mask,
                                  const std::uint64_t* addresses,
                                  const watch::AddressShape& shape) {
  const ArrivedCopies::Hit hit =
      block_->arrived_copies.unseen(*block_->order, warp_index_, mask, addresses, access.bytes(),
                                    access.is_atomic, shape.lowest, shape.highest);
  if (!hit.copy) return;
  watch::Finding found = finding("race", {}, hit.lane);
  if (diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "thread {} {} {}, which an asynchronous copy{} fills. Thread {} has waited at the mbarrier "
      "for it, and nothing orders this thread after that: the copy may still be in flight. Let "
      "every thread that uses the data wait at the mbarrier, or meet a thread that has waited at a "
      "barrier.",
      thread_text(warp_index_ * 32 + hit.lane), access.is_store ? "writes" : "reads",
      shared_text(static_cast<std::uint32_t>(addresses[hit.lane])),
      site_text(access.site, hit.copy->site), thread_text(hit.seen_by));
  diagnoses_.report(std::move(found));
}

/// Reports an access that meets a copy for which no thread has waited.
void Worker::check_copies(const code::Access& access, std::uint32_t mask,
                          const std::uint64_t* addresses, const watch::AddressShape& shape) {
  Copies::Hit hit = owner().copies.in_the_way(mask, addresses, access.bytes(), access.is_store,
                                              shape.lowest, shape.highest);
  if (!hit.copy || (hit.copy->updates && access.is_atomic)) return;
  if (access.is_store) counters_.copies_meet();
  watch::Finding found = finding("race", {}, hit.lane);
  if (diagnoses_.count_only(found)) return;
  const Copies::Copy& copy = *hit.copy;
  if (copy.of == Copies::Of::products) {
    found.message = fmt::format(
        "thread {} writes {} while a product of its warpgroup{} may still read it. Wait for it "
        "first: wgmma.commit_group, wgmma.wait_group, and a barrier where another warp writes.",
        thread_text(warp_index_ * 32 + hit.lane),
        shared_text(static_cast<std::uint32_t>(addresses[hit.lane])),
        site_text(access.site, copy.site));
    return diagnoses_.report(std::move(found));
  }
  const char* advice =
      copy.barrier != Copies::no_barrier
          ? "Wait for the mbarrier's phase first (the barrier's wait or arrive_and_wait, the "
            "pipeline's consumer_wait)."
      : copy.of == Copies::Of::bulk
          ? "Wait for it first: cp.async.bulk.wait_group."
          : "Wait for it first (cp.async.wait_group, __pipeline_wait_prior, cg::wait or the "
            "pipeline's consumer_wait), and where another thread copies, meet it at a "
            "barrier after its wait.";
  found.message = fmt::format(
      "thread {} {} {} while an asynchronous copy that thread {} began{} may still {} it. {}",
      thread_text(warp_index_ * 32 + hit.lane), access.is_store ? "writes" : "reads",
      shared_text(static_cast<std::uint32_t>(addresses[hit.lane])),
      thread_text(copy.warp * 32 + static_cast<unsigned>(std::countr_zero(copy.lanes))),
      site_text(access.site, copy.site), copy.only_reads ? "read" : "write", advice);
  diagnoses_.report(std::move(found));
}

/// Reports an access to what a bulk store may still write.
void Worker::check_bulk_targets(const code::Access& access, std::uint32_t mask,
                                const std::uint64_t* addresses, const watch::AddressShape& shape) {
  const BulkTargets::Hit hit = block_->bulk_targets.in_the_way(
      mask, addresses, access.bytes(), access.is_atomic, shape.lowest, shape.highest);
  if (!hit.target) return;
  watch::Finding found = finding("race", {}, hit.lane);
  if (diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "thread {} {} {} while a bulk store that thread {} began{} may still write it. Wait for it "
      "first: cp.async.bulk.wait_group, without .read, in the thread that began it, and a barrier "
      "after that for others.",
      thread_text(warp_index_ * 32 + hit.lane), access.is_store ? "writes" : "reads",
      global_text(addresses[hit.lane]), thread_text(hit.target->warp * 32 + hit.target->lane),
      site_text(access.site, hit.target->site));
  diagnoses_.report(std::move(found));
}

}  // namespace warpwise::machine
