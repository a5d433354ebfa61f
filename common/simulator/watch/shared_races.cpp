#include "simulator/watch/shared_races.h"

#include <algorithm>
#include <bit>

namespace warpwise::watch {

namespace {

/// True where whoever is ordered after an access of the part is ordered after the earlier access
/// too, and races with the later one wherever it races with the earlier one.
template <class Access, class Part>
bool covers(const Part& part, const Access& earlier) {
  return part.comes_after(earlier.warp, earlier.clock) &&
         (!part.event.is_strong() || !earlier.weak) && (part.event.is_store || !earlier.store);
}

/// Adds the lanes to a record of their own warp, or takes over one that says nothing more.
template <class Access, class Part>
bool note(Access& access, const Part& part) {
  bool weak = !part.event.is_strong(), store = part.event.is_store;
  if (access.lanes && access.warp == part.warp && access.clock == part.clock &&
      access.site == part.event.site && access.weak == weak && access.store == store) {
    access.lanes |= part.lanes;
    return true;
  }
  if (access.lanes && !covers(part, access)) return false;
  access = {part.clock, part.lanes, part.event.site, static_cast<std::uint16_t>(part.warp),
            weak,       store};
  return true;
}

}  // namespace

bool SharedRaces::Part::stores_same(unsigned other) const {
  return event.is_store && !event.is_atomic &&
         same(static_cast<unsigned>(std::countr_zero(lanes)), other);
}

SharedRaces::SharedRaces(HappensBefore& order, std::uint32_t base, std::uint32_t bytes, bool narrow)
    : order_(order), base_(base), shift_(narrow ? 0 : 2), cells_((bytes >> shift_) + 1) {}

std::optional<SharedRaces::Race> SharedRaces::access(unsigned warp, const AccessEvent& event,
                                                     const StoresSameValue& same) {
  std::optional<Race> found;
  ++event_;
  Part part{event, same, 0, warp, order_.clock(warp), order_.whole_sync(warp), order_.known(warp)};
  for (std::uint32_t left = event.mask; left; left &= ~part.lanes) {
    auto lane = static_cast<unsigned>(std::countr_zero(left));
    std::uint64_t address = event.addresses[lane];
    part.lanes = 1u << lane;
    // Lanes that read the same are one reader.
    for (unsigned next = lane + 1; !event.is_store && next < 32 && event.addresses[next] == address;
         ++next)
      part.lanes |= left & 1u << next;
    auto offset = static_cast<std::uint32_t>(address - base_);
    for (std::uint32_t index = offset >> shift_; index <= (offset + event.bytes - 1) >> shift_;
         ++index)
      access_cell(index, part, found);
  }
  if (event.is_strong()) order_.synchronize(warp, event, sync_points_);
  return found;
}

/// True where nothing that is remembered of the cell can race with this: most accesses are such.
inline bool SharedRaces::is_quiet(const Cell& cell, const Part& part) {
  if (!part.comes_after(cell.writer / 32, cell.write_clock)) return false;
  if (cell.access.lanes == 0) return true;
  if (cell.many) return false;
  // Reads race with strong writes only.
  return (!part.event.is_store && !cell.access.store) ||
         part.comes_after(cell.access.warp, cell.access.clock);
}

/// @param found in,out: the first race of the instruction.
inline void SharedRaces::access_cell(std::uint32_t index, const Part& part,
                                     std::optional<Race>& found) {
  Cell& cell = cells_[index];
  bool races = false;
  if (!is_quiet(cell, part)) [[unlikely]] {
    const auto write = race_with_write(cell, part);
    const auto other = race_with_accesses(index, part);
    races = write || other;
    if (write && !found) found = write;
    if (other && !found && !part.stores_same(none)) found = other;
  }
  if (part.event.is_store && !part.event.is_strong())
    record_write(index, part, !races);
  else if (cell.many || !note(cell.access, part))
    record_access(index, part);
}

std::optional<SharedRaces::Race> SharedRaces::race_with_write(const Cell& cell,
                                                              const Part& part) const {
  std::uint32_t lanes =
      order_.unordered(part.warp, part.lanes, cell.writer / 32, cell.writer % 32, cell.write_clock);
  if (lanes == 0) return std::nullopt;
  if (part.stores_same(cell.write_event == event_ ? cell.writer % 32 : none)) return std::nullopt;
  auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  return Race{lane, part.event.addresses[lane], cell.writer, true, cell.write_site};
}

std::optional<SharedRaces::Race> SharedRaces::race_with_accesses(std::uint32_t index,
                                                                 const Part& part) const {
  const Cell& cell = cells_[index];
  auto race = race_with(cell.access, part);
  if (race || !cell.many) return race;
  for (const Access& access : more_.at(index))
    if (auto other = race_with(access, part)) return other;
  return std::nullopt;
}

std::optional<SharedRaces::Race> SharedRaces::race_with(const Access& access,
                                                        const Part& part) const {
  if (!access.store && !part.event.is_store) return std::nullopt;
  if (!access.weak && part.event.is_strong()) return std::nullopt;
  if (part.comes_after(access.warp, access.clock)) return std::nullopt;
  std::uint32_t others = access.lanes;
  if (part.warp != access.warp) others &= 0 - others;  // all lanes of another warp give one answer
  for (; others; others &= others - 1) {
    auto other = static_cast<unsigned>(std::countr_zero(others));
    std::uint32_t lanes = order_.unordered(part.warp, part.lanes, access.warp, other, access.clock);
    if (lanes == 0) continue;
    auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    return Race{lane, part.event.addresses[lane], access.warp * 32u + other, access.store,
                access.site};
  }
  return std::nullopt;
}

inline void SharedRaces::record_write(std::uint32_t index, const Part& part, bool after_all) {
  Cell& cell = cells_[index];
  if (after_all && cell.access.lanes) {
    if (cell.many) more_.erase(index);
    cell.many = false;
    cell.access.lanes = 0;
  }
  cell.writer = part.warp * 32 + static_cast<unsigned>(std::countr_zero(part.lanes));
  cell.write_clock = part.clock;
  cell.write_site = part.event.site;
  cell.write_event = event_;
}

void SharedRaces::record_access(std::uint32_t index, const Part& part) {
  Cell& cell = cells_[index];
  std::vector<Access>& more = more_[index];
  // What this access covers has nothing more to say.
  std::erase_if(more, [&](const Access& access) { return covers(part, access); });
  cell.many = true;
  if (note(cell.access, part)) {
    cell.many = !more.empty();
    return;
  }
  for (Access& access : more)
    if (note(access, part)) return;
  note(more.emplace_back(), part);
}

}  // namespace warpwise::watch
