#include "simulator/watch/shared/shared_watch.h"

#include <algorithm>
#include <bit>

#include "simulator/isa/fast_loops.h"
#include "simulator/watch/cells/line_lanes.h"

namespace warpwise::watch {
namespace {

struct CellRange {
  std::uint16_t lowest, highest;
};

/// The first cell of each lane; for lanes that take no part, that of one which does.
WARPWISE_FAST_LOOPS CellRange write_cells(const AccessEvent& event, std::uint32_t base,
                                          unsigned shift, std::uint16_t* cells) {
  const std::uint64_t any = event.addresses[std::countr_zero(event.mask)];
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint64_t address = event.mask >> lane & 1 ? event.addresses[lane] : any;
    cells[lane] = static_cast<std::uint16_t>((address - base) >> shift);
  }
  CellRange range = {0xffff, 0};
  for (unsigned lane = 0; lane < 32; ++lane) {
    range.lowest = std::min(range.lowest, cells[lane]);
    range.highest = std::max(range.highest, cells[lane]);
  }
  return range;
}

}  // namespace

SharedWatch::SharedWatch(HappensBefore& order, std::uint32_t base, std::uint32_t bytes,
                         unsigned cell_shift)
    : order_(order),
      races_(order, base, bytes, cell_shift),
      base_(base),
      shift_(cell_shift),
      owners_((bytes >> cell_shift) + most_bytes) {}

std::optional<SharedRaces::Race> SharedWatch::access(unsigned warp, const AccessEvent& event,
                                                     const SharedRaces::StoresSameValue& same) {
  const Epoch epoch = Epoch::now(order_, warp);
  if (latest_ <= epoch.common_floor) go_on(epoch);
  latest_ = std::max(latest_, epoch.clock);
  if (!is_close_) {
    if (look(warp, event, epoch)) {
      races_.synchronize(warp, event);
      return std::nullopt;
    }
    look_closely();
  }
  return races_.access(warp, event, same);
}

/// All that was done comes before a barrier.
void SharedWatch::go_on(const Epoch& epoch) {
  latest_ = epoch.clock;
  log_.clear();
  is_close_ = backoff_.start() || owners_.size() > most_cells;
  if (first_ < end_)
    std::fill(owners_.begin() + first_, owners_.begin() + end_, CellOwners::nobody);
  first_ = most_cells;
  end_ = 0;
}

/// @return false where the access may race with another since all warps met.
bool SharedWatch::look(unsigned warp, const AccessEvent& event, const Epoch& epoch) {
  if (event.bytes > most_bytes || log_.size() == most_entries) return false;
  Entry& entry = log_.emplace_back();
  const CellRange range = write_cells(event, base_, shift_, entry.cells);
  first_ = std::min<unsigned>(first_, range.lowest);
  end_ = std::max<unsigned>(end_, range.highest + cells_of_lane(event, shift_));
  if (!own(warp, event, entry.cells)) {
    log_.pop_back();
    return false;
  }
  entry.site = event.site;
  entry.mask = event.mask;
  entry.epoch = epoch;
  entry.warp = static_cast<std::uint16_t>(warp);
  entry.bytes = static_cast<std::uint8_t>(event.bytes);
  entry.is_store = event.is_store;
  entry.is_atomic = event.is_atomic;
  entry.is_strong = event.is_strong();
  entry.is_narrow = event.scope == code::Scope::cta;
  return true;
}

/// @param cells the first of each lane.
bool SharedWatch::own(unsigned warp, const AccessEvent& event, const std::uint16_t* cells) {
  const LineAccess::Kind kind = kind_of(event);
  CellOwner* const owners = owners_.data();
  const unsigned each = cells_of_lane(event, shift_), thread = warp * 32 + 1;
  const auto each_shift = static_cast<unsigned>(std::countr_zero(each));
  if (event.is_consecutive)
    return CellOwners::add_row(kind, owners + cells[0], 32 * each, thread, each_shift);
  if (each == 1) return CellOwners::add_lanes(kind, owners, cells, event.mask, thread);
  bool holds = true;
  for_cells(event.mask, [&](unsigned lane) {
    holds &= CellOwners::add_row(kind, owners + cells[lane], each, thread + lane, each_shift);
  });
  return holds;
}

/// Replays the log to the close check, and lets it go on.
void SharedWatch::look_closely() {
  is_close_ = true;
  std::uint64_t addresses[32];
  AccessEvent event{};
  event.addresses = addresses;
  event.is_shared = true;
  for (const Entry& entry : log_) {
    for (unsigned lane = 0; lane < 32; ++lane)
      addresses[lane] = base_ + (std::uint64_t{entry.cells[lane]} << shift_);
    event.site = entry.site;
    event.mask = entry.mask;
    event.bytes = entry.bytes;
    event.is_store = entry.is_store;
    event.is_atomic = entry.is_atomic;
    event.order = entry.is_strong ? code::Order::relaxed : code::Order::none;
    event.scope = entry.is_narrow ? code::Scope::cta : code::Scope::gpu;
    races_.recall(entry.warp, event, entry.epoch);
  }
  log_.clear();
  backoff_.add();
}

}  // namespace warpwise::watch
