// Accesses that are only noted down, and memory that is not watched any more.

#include <algorithm>

#include "simulator/watch/cells/lane_runs.h"
#include "simulator/watch/global/first_accessors.h"
#include "simulator/watch/global/global_races.h"

namespace warpwise::watch {

bool GlobalRaces::watches_all(LineAccess::Kind kind) {
  if (!keep_line_accesses_ && noted_[kind].is_full()) watches_all_ = false;
  return watches_all_;
}

/// The lanes whose memory is watched. Once the notes are full, what they touch as all before them
/// did is watched no more, but for a sample.
std::uint32_t GlobalRaces::watched_lanes(const AccessEvent& event, LineAccess::Kind kind) {
  const bool is_full = noted_[kind].is_full();
  std::uint32_t lanes = event.mask;
  for_cells(event.mask, [&](unsigned lane) {
    const std::uint64_t address = event.addresses[lane];
    if (is_full && may_be_left(address, kind)) unwatched_.add_at(address);
    if (unwatched_.has_at(address)) lanes &= ~(1u << lane);
  });
  return lanes;
}

/// True where no thread has touched the memory in another way, and it is not in the sample.
bool GlobalRaces::may_be_left(std::uint64_t address, LineAccess::Kind kind) const {
  constexpr std::uint64_t one_in = 16;
  const std::uint64_t mixed = TouchedPieces::piece_of(address) * 0x9e3779b97f4a7c15ull >> 32;
  if (mixed % one_in == 0 || listed_.has_at(address)) return false;
  return std::none_of(std::begin(noted_), std::end(noted_), [&](const NotedAccesses& noted) {
    return noted.kind() != kind && noted.has_at(address);
  });
}

/// @param event a strong access.
bool GlobalRaces::is_worth_noting(std::uint64_t warp, const AccessEvent& event) {
  if (event.is_atomic || event.is_optimistic) return true;
  if (keep_line_accesses_) return false;
  // A thread that waits looks at the same place again and again: one entry of a list says all of
  // that.
  return event.is_store || !looks_.is_again(warp, event);
}

/// @return false where the access has to go into lists.
bool GlobalRaces::note(unsigned warp, const AccessEvent& event, const AddressShape& shape,
                       const TouchedPieces::Reach& reach, const StoredValues& values,
                       const Epoch& epoch, LineAccess::Kind kind) {
  NotedAccesses& noted = noted_[kind];
  if (!may_note(kind) || event.site >= FirstAccessors::most_sites) return false;
  if (keep_line_accesses_ && noted.is_full()) return false;
  for (const NotedAccesses& other : noted_)
    if (other.kind() != kind && other.meets(reach)) return false;
  if (kind == LineAccess::write && !are_new(event, values)) return false;
  return noted.add({epoch, warp, false}, event, shape, reach,
                   kind == LineAccess::read ? listed_stores_ : listed_, values);
}

/// True where no store that was noted down has touched a cell of this, and where lanes that meet at
/// one store the same.
bool GlobalRaces::are_new(const AccessEvent& event, const StoredValues& values) {
  std::uint32_t met = 0, known = 0;
  for_lane_runs(event, shift_,
                [&](const LaneRun& run) { known |= stored_cells_.known(run.line, run.cells()); });
  for_lane_runs(event, shift_,
                [&](const LaneRun& run) { met |= stored_cells_.add(run.line, run.cells()); });
  bool are = known == 0;
  if (!are || !met) return are;
  for_cells(event.mask, [&](unsigned lane) {
    for_cells(event.mask & ((1u << lane) - 1), [&](unsigned other) {
      if (event.addresses[lane] != event.addresses[other]) return;
      for (unsigned offset = 0; offset < event.bytes; offset += 4)
        are &= values.stored(lane, offset, 4) == values.stored(other, offset, 4);
    });
  });
  return are;
}

/// Puts all that was noted down into lists, as it would be there had it gone there at once, but for
/// what is lost when it is recalled.
void GlobalRaces::add_noted(HappensBefore& order, NotedAccesses& noted) {
  std::vector<std::uint32_t> known(order.warps());
  noted.for_all(
      [&](const AccessLog::Made& made, const AccessEvent& event, const StoredValues& values) {
        if (is_over()) return;
        const Epoch& then = made.epoch;
        const auto warp = static_cast<std::uint16_t>(made.warp);
        std::fill(known.begin(), known.end(), then.floor);
        Now now{order,
                event,
                values,
                then.block,
                warp,
                known.data(),
                then.whole_sync,
                {event.site, then.clock, then.block * order.warps() + warp, warp,
                 !event.is_strong(), event.is_store, false},
                1,
                0,
                std::nullopt,
                equal_now_};
        equal_now_.clear();
        const AddressShape shape(event);
        const TouchedPieces::Reach reach(event, shape);
        listed_.add(reach);
        if (event.is_store) listed_stores_.add(reach);
        const std::uint64_t stride = stride_of(event, shape, shift_);
        add(now, stride, ColumnParts(event, shift_, stride));
      });
  noted.clear();
  if (noted.kind() == LineAccess::write) stored_cells_.clear();
}

/// Before an access goes into lists: what it may meet goes there too.
void GlobalRaces::meet_noted(HappensBefore& order, const AccessEvent& event,
                             const TouchedPieces::Reach& reach) {
  if (!may_note(LineAccess::strong)) return;
  for (NotedAccesses& noted : noted_)
    if ((event.is_store || noted.kind() != LineAccess::read) && noted.meets(reach))
      add_noted(order, noted);
  listed_.add(reach);
  if (event.is_store) listed_stores_.add(reach);
}

}  // namespace warpwise::watch
