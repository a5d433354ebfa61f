#include <bit>

#include "simulator/machine/copies/async_copies.h"

/// Asynchronous copies that threads wait for.
namespace warpwise::machine {

void AsyncCopies::commit_copies(std::uint32_t mask) {
  here_.block_->copies.commit(here_.warp_index_, mask, CopiesInFlight::Of::copies);
}

void AsyncCopies::commit_bulk(std::uint32_t mask) {
  here_.block_->copies.commit(here_.warp_index_, mask, CopiesInFlight::Of::bulk);
  here_.block_->bulk_targets.commit(here_.warp_index_, mask);
}

void AsyncCopies::wait(const code::Operation& operation, std::uint32_t mask,
                       CopiesInFlight::Of of) {
  if (of == CopiesInFlight::Of::bulk && here_.block_->bulk_targets.any() && !operation.only_reads)
    here_.block_->bulk_targets.wait(here_.warp_index_, mask, groups_to_leave(operation, mask));
  if (!here_.block_->copies.any()) return;
  auto landed = [&](const CopiesInFlight::Copy& copy, std::uint32_t lanes) {
    note_landed(copy, lanes);
  };
  if (!operation.s[0].is_there())
    return here_.block_->copies.wait_all(here_.warp_index_, mask, landed);
  here_.block_->copies.wait(here_.warp_index_, mask, groups_to_leave(operation, mask), of, landed);
}

/// Among copies that are waited for, how many groups may stay in flight.
std::uint32_t AsyncCopies::groups_to_leave(const code::Operation& operation, std::uint32_t mask) {
  const auto lane = static_cast<unsigned>(std::countr_zero(mask));
  return static_cast<std::uint32_t>(here_.lane_value(operation.s[0], lane));
}

/// To the race checker the thread that waited has written, or read, only now: others need a barrier
/// after the wait.
void AsyncCopies::note_landed(const CopiesInFlight::Copy& copy, std::uint32_t lanes) {
  if (!here_.block_->races) return;
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
  here_.block_->races->access(here_.warp_index_, event, [](unsigned, unsigned) { return true; });
}

}  // namespace warpwise::machine
