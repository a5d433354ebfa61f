#include "simulator/machine/checks/copy_checks.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

namespace warpwise::machine {

void CopyChecks::check_arrived(const code::Access& access, std::uint32_t mask,
                               const std::uint64_t* addresses, const watch::AddressShape& shape) {
  const ArrivedCopies::Hit hit = here_.block_->arrived_copies.unseen(
      *here_.block_->order, here_.warp_index_, mask, addresses, access.bytes(), access.is_atomic,
      shape.lowest, shape.highest);
  if (!hit.copy) return;
  watch::Finding found = here_.finding("race", {}, hit.lane);
  if (here_.diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "thread {} {} {}, which an asynchronous copy{} fills. Thread {} has waited at the mbarrier "
      "for it, and nothing orders this thread after that: the copy may still be in flight. Let "
      "every thread that uses the data wait at the mbarrier, or meet a thread that has waited at a "
      "barrier.",
      here_.thread_text(here_.warp_index_ * 32 + hit.lane), access.is_store ? "writes" : "reads",
      here_.shared_text(static_cast<std::uint32_t>(addresses[hit.lane])),
      here_.site_text(access.site, hit.copy->site), here_.thread_text(hit.seen_by));
  here_.diagnoses_.report(std::move(found));
}

void CopyChecks::check_in_flight(const code::Access& access, std::uint32_t mask,
                                 const std::uint64_t* addresses, const watch::AddressShape& shape) {
  CopiesInFlight::Hit hit = here_.owner().copies.in_the_way(
      mask, addresses, access.bytes(), access.is_store, shape.lowest, shape.highest);
  if (!hit.copy || (hit.copy->updates && access.is_atomic)) return;
  if (access.is_store) here_.counters_.copies_meet();
  watch::Finding found = here_.finding("race", {}, hit.lane);
  if (here_.diagnoses_.count_only(found)) return;
  const CopiesInFlight::Copy& copy = *hit.copy;
  if (copy.of == CopiesInFlight::Of::products) {
    found.message = fmt::format(
        "thread {} writes {} while a product of its warpgroup{} may still read it. Wait for it "
        "first: wgmma.commit_group, wgmma.wait_group, and a barrier where another warp writes.",
        here_.thread_text(here_.warp_index_ * 32 + hit.lane),
        here_.shared_text(static_cast<std::uint32_t>(addresses[hit.lane])),
        here_.site_text(access.site, copy.site));
    return here_.diagnoses_.report(std::move(found));
  }
  const char* advice =
      copy.barrier != CopiesInFlight::no_barrier
          ? "Wait for the mbarrier's phase first (the barrier's wait or arrive_and_wait, the "
            "pipeline's consumer_wait)."
      : copy.of == CopiesInFlight::Of::bulk
          ? "Wait for it first: cp.async.bulk.wait_group."
          : "Wait for it first (cp.async.wait_group, __pipeline_wait_prior, cg::wait or the "
            "pipeline's consumer_wait), and where another thread copies, meet it at a "
            "barrier after its wait.";
  found.message = fmt::format(
      "thread {} {} {} while an asynchronous copy that thread {} began{} may still {} it. {}",
      here_.thread_text(here_.warp_index_ * 32 + hit.lane), access.is_store ? "writes" : "reads",
      here_.shared_text(static_cast<std::uint32_t>(addresses[hit.lane])),
      here_.thread_text(copy.warp * 32 + static_cast<unsigned>(std::countr_zero(copy.lanes))),
      here_.site_text(access.site, copy.site), copy.only_reads ? "read" : "write", advice);
  here_.diagnoses_.report(std::move(found));
}

void CopyChecks::check_bulk_targets(const code::Access& access, std::uint32_t mask,
                                    const std::uint64_t* addresses,
                                    const watch::AddressShape& shape) {
  const BulkTargets::Hit hit = here_.block_->bulk_targets.in_the_way(
      mask, addresses, access.bytes(), access.is_atomic, shape.lowest, shape.highest);
  if (!hit.target) return;
  watch::Finding found = here_.finding("race", {}, hit.lane);
  if (here_.diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "thread {} {} {} while a bulk store that thread {} began{} may still write it. Wait for it "
      "first: cp.async.bulk.wait_group, without .read, in the thread that began it, and a barrier "
      "after that for others.",
      here_.thread_text(here_.warp_index_ * 32 + hit.lane), access.is_store ? "writes" : "reads",
      here_.global_text(addresses[hit.lane]),
      here_.thread_text(hit.target->warp * 32 + hit.target->lane),
      here_.site_text(access.site, hit.target->site));
  here_.diagnoses_.report(std::move(found));
}

void CopyChecks::report_missing_proxy_fence(const std::string& reads, unsigned lane,
                                            std::uint64_t address) {
  watch::Finding found = here_.finding("race", {}, lane);
  if (here_.diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "{} {}, which a thread has stored with no fence.proxy.async since. Products and copies in "
      "bulk read shared memory by another path than loads and stores, and may find what was there "
      "before: put fence.proxy.async after the stores, before the barrier.",
      reads, here_.shared_text(static_cast<std::uint32_t>(address)));
  here_.diagnoses_.report(std::move(found));
}

}  // namespace warpwise::machine
