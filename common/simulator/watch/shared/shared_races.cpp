#include "simulator/watch/shared/shared_races.h"

#include <algorithm>
#include <bit>

#include "simulator/isa/fast_loops.h"

namespace warpwise::watch {

bool SharedRaces::Part::stores_same(unsigned other) const {
  return event.is_store && !event.is_atomic &&
         same(static_cast<unsigned>(std::countr_zero(lanes)), other);
}

SharedRaces::SharedRaces(HappensBefore& order, std::uint32_t base, std::uint32_t bytes,
                         unsigned cell_shift)
    : order_(order),
      base_(base),
      shift_(cell_shift),
      warps_(order.warps()),
      cells_((bytes >> cell_shift) + 1),
      turns_(std::size_t{kinds} * order.warps()) {}

/// A turn is read only where its cell says that the warp has one: without values, only pages that
/// are touched cost memory and time.
SharedRaces::Turn* SharedRaces::make_turns(Kind kind, unsigned warp) {
  Turn*& made = turns_[kind * warps_ + warp];
  if (!made) made = memory_.make_unset<Turn>(cells_.size());
  return made;
}

/// True where nothing that is remembered of the cell can race with this: most accesses are such.
inline bool SharedRaces::is_quiet(const Cell& cell, std::uint32_t index, const Part& part) const {
  if (!part.comes_after(cell.writer / 32, cell.write_clock) && !part.is_by(cell.writer))
    return false;
  if (cell.has_older) return false;
  for (Kind kind : {weak_read, strong_read, strong_store})
    if ((part.conflicting >> kind & 1) && cell.since[kind].latest > part.floor &&
        !are_quiet(kind, cell.since[kind].warps, index, part))
      return false;
  return true;
}

/// The same for the turns of a few warps.
bool SharedRaces::are_quiet(Kind kind, std::uint32_t warps, std::uint32_t index,
                            const Part& part) const {
  for (; warps; warps &= warps - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(warps));
    const Turn& turn = turns(kind, warp)[index];
    const bool is_own = warp == part.warp && (turn.lanes | turn.other_lanes) == part.lanes;
    if (!is_own && !part.comes_after(warp, turn.clock)) return false;
  }
  return true;
}

/// Checks against all that is remembered of the cell.
/// @param found in,out: the race of the instruction to tell of.
/// @return true where there is one, if only of equal values.
bool SharedRaces::find_races(std::uint32_t index, const Part& part, std::optional<Race>& found) {
  const auto write = race_with_write(cells_[index], index, part);
  const auto other = race_with_turns(cells_[index], index, part);
  // Two lanes of one instruction that store different values say more than a read before.
  const bool is_own = cells_[index].write_event == event_;
  if (write && (!found || (is_own && !found->other_is_store))) found = write;
  if (other && !found && !part.stores_same(none)) found = other;
  return write || other;
}

/// True where it stores what another thread has stored there, and nothing orders the two.
bool SharedRaces::writes_with_others(const Cell& cell, const Part& part) const {
  return !part.is_recalled && lanes_unordered_with_writer(cell, part) != 0 &&
         stores_what_is_written(cell, part);
}

/// The lanes that nothing orders with the cell's last writer. Cells of one access mostly have one
/// writer.
std::uint32_t SharedRaces::lanes_unordered_with_writer(const Cell& cell, const Part& part) const {
  const WriterQuestion asked{event_, part.lanes, cell.writer, cell.write_clock};
  if (asked != last_question_) {
    last_question_ = asked;
    unordered_lanes_ = order_.unordered(part.warp, part.lanes, cell.writer / 32, cell.writer % 32,
                                        cell.write_clock);
  }
  return unordered_lanes_;
}

bool SharedRaces::stores_what_is_written(const Cell& cell, const Part& part) const {
  return part.stores_same(cell.write_event == event_ ? cell.writer % 32 : none);
}

void SharedRaces::add_writer(std::uint32_t index, const Part& part) {
  Cell& cell = cells_[index];
  std::vector<std::uint32_t>& lanes = several_[index];
  if (!cell.has_several) lanes.assign(warps_, 0);
  cell.has_several = true;
  lanes[cell.writer / 32] |= 1u << cell.writer % 32;
  lanes[part.warp] |= part.lanes;
}

[[gnu::always_inline]] inline void SharedRaces::write_cell(std::uint32_t index, const Part& part,
                                                           std::optional<Race>& found) {
  Cell& cell = cells_[index];
  // Most cells were not touched since a barrier. Accesses before it no longer count.
  bool is_with_others = false;
  if (!cell.is_over<conflicting_write>(part.floor)) {
    const bool is_first = cell.write_event != event_;
    if (is_first && !part.event.is_consecutive && !cell.has_older)
      as_found_.push_back({index, cell});
    const bool quiet = is_quiet(cell, index, part);
    is_with_others = !quiet && writes_with_others(cell, part);
    if (quiet || !find_races(index, part, found)) forget_turns(index);
    if (!is_first) check_as_found(index, part, found);
  }
  if (is_with_others)
    add_writer(index, part);
  else
    cell.has_several = false;
  cell.writer = static_cast<std::uint16_t>(part.warp * 32 +
                                           static_cast<unsigned>(std::countr_zero(part.lanes)));
  cell.write_clock = part.clock;
  cell.write_site = part.event.site;
  cell.write_event = event_;
}

/// For another lane than the first that stores there: what that one came after need not come before
/// this one.
void SharedRaces::check_as_found(std::uint32_t index, const Part& part,
                                 std::optional<Race>& found) const {
  const auto before = std::find_if(as_found_.begin(), as_found_.end(),
                                   [&](const AsFound& one) { return one.index == index; });
  if (found || before == as_found_.end() || part.stores_same(none)) return;
  found = race_with_write(before->cell, index, part);
  if (!found) found = race_with_turns(before->cell, index, part);
}

void SharedRaces::forget_turns(std::uint32_t index) {
  Cell& cell = cells_[index];
  if (cell.has_older) older_.erase(index);
  cell.has_older = false;
  for (Since& since : cell.since) since = {};
}

template <SharedRaces::Kind kind>
[[gnu::always_inline]] inline void SharedRaces::access_cell(std::uint32_t index, const Part& part,
                                                            Turn* turns,
                                                            std::optional<Race>& found) {
  Cell& cell = cells_[index];
  if (!cell.is_over<conflicting[kind]>(part.floor) && !is_quiet(cell, index, part))
    find_races(index, part, found);
  Turn& turn = turns[index];
  Since& since = cell.since[kind];
  const std::uint32_t own = 1u << part.warp;
  if (since.latest <= part.floor) {  // this speaks for all before
    if (cell.has_older) [[unlikely]]
      drop_older(index, kind);
    since = {part.clock, own};
  } else if (since.warps & own) {
    since.latest = std::max(since.latest, part.clock);
    if (turn.clock != part.clock || turn.site != part.event.site)
      return go_on(index, part, kind, turn);
    turn.lanes |= part.lanes;
    return;
  } else {
    since = {std::max(since.latest, part.clock), since.warps | own};
  }
  turn = {part.clock, part.lanes, part.event.site, 0, 0};
}

/// The warp has accessed the cell before, by another instruction or before it synchronised.
void SharedRaces::go_on(std::uint32_t index, const Part& part, Kind kind, Turn& turn) {
  if (turn.clock != part.clock) {
    if (turn.clock > part.whole_sync) [[unlikely]]
      keep_older(index, part, kind, turn);
    turn = {part.clock, part.lanes, part.event.site, 0, 0};
  } else if (std::uint32_t more = part.lanes & ~turn.lanes) {
    if (!turn.other_lanes) turn.other_site = part.event.site;
    turn.other_lanes |= more;
  }
}

void SharedRaces::drop_older(std::uint32_t index, Kind kind) {
  std::vector<OlderTurn>& older = older_[index];
  std::erase_if(older, [&](const OlderTurn& one) { return one.kind == kind; });
  if (!older.empty()) return;
  older_.erase(index);
  cells_[index].has_older = false;
}

void SharedRaces::keep_older(std::uint32_t index, const Part& part, Kind kind, const Turn& turn) {
  std::vector<OlderTurn>& older = older_[index];
  std::erase_if(older, [&](const OlderTurn& one) {
    return one.kind == kind && part.comes_after(one.warp, one.clock);
  });
  older.push_back({turn, part.warp, kind});
  cells_[index].has_older = true;
}

std::optional<SharedRaces::Race> SharedRaces::race_with_write(const Cell& cell, std::uint32_t index,
                                                              const Part& part) const {
  std::uint32_t lanes = lanes_unordered_with_writer(cell, part);
  if (cell.has_several && !part.event.is_store) lanes &= ~several_.at(index)[part.warp];
  if (lanes == 0) return std::nullopt;
  if (stores_what_is_written(cell, part)) return std::nullopt;
  auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  return Race{lane, part.event.addresses[lane], cell.writer, true, cell.write_site};
}

std::optional<SharedRaces::Race> SharedRaces::race_with_turns(const Cell& cell, std::uint32_t index,
                                                              const Part& part) const {
  for (Kind kind : {weak_read, strong_read, strong_store}) {
    if (!(part.conflicting >> kind & 1)) continue;
    for (std::uint32_t left = cell.since[kind].warps; left; left &= left - 1) {
      const auto warp = static_cast<unsigned>(std::countr_zero(left));
      if (auto race = race_with(turns(kind, warp)[index], warp, kind, part)) return race;
    }
  }
  if (!cell.has_older) return std::nullopt;
  for (const OlderTurn& turn : older_.at(index))
    if (part.conflicting >> turn.kind & 1)
      if (auto race = race_with(turn, turn.warp, turn.kind, part)) return race;
  return std::nullopt;
}

std::optional<SharedRaces::Race> SharedRaces::race_with(const Turn& turn, unsigned warp, Kind kind,
                                                        const Part& part) const {
  if (part.comes_after(warp, turn.clock)) return std::nullopt;
  auto race_with_lanes = [&](std::uint32_t others, std::uint32_t site) -> std::optional<Race> {
    // All lanes of another warp give one answer.
    if (part.warp != warp) others &= 0 - others;
    for (; others; others &= others - 1) {
      auto other = static_cast<unsigned>(std::countr_zero(others));
      std::uint32_t lanes = order_.unordered(part.warp, part.lanes, warp, other, turn.clock);
      if (lanes == 0) continue;
      auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      return Race{lane, part.event.addresses[lane], warp * 32 + other, kind == strong_store, site};
    }
    return std::nullopt;
  };
  auto race = race_with_lanes(turn.lanes, turn.site);
  return race ? race : race_with_lanes(turn.other_lanes, turn.other_site);
}

/// Calls visit(cell) for all cells of the event, with the part's lanes that touch it together.
template <class Visit>
inline void SharedRaces::for_cells(Part& part, Visit visit) const {
  const AccessEvent& event = part.event;
  for (std::uint32_t left = event.mask; left; left &= ~part.lanes) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t address = event.addresses[lane];
    part.lanes = 1u << lane;
    // Lanes that read the same are one reader.
    if (!event.is_store)
      for (unsigned next = lane + 1; next < 32 && event.addresses[next] == address; ++next)
        part.lanes |= left & 1u << next;
    const auto offset = static_cast<std::uint32_t>(address - base_);
    const std::uint32_t last = (offset + event.bytes - 1) >> shift_;
    for (std::uint32_t index = offset >> shift_; index <= last; ++index) visit(index);
  }
}

template <SharedRaces::Kind kind>
void SharedRaces::access_cells(Part& part, std::optional<Race>& found) {
  part.conflicting = conflicting[kind];
  Turn* const turns = make_turns(kind, part.warp);
  for_cells(part, [&](std::uint32_t cell) { access_cell<kind>(cell, part, turns, found); });
}

WARPWISE_FAST_LOOPS std::optional<SharedRaces::Race> SharedRaces::access(
    unsigned warp, const AccessEvent& event, const StoresSameValue& same, const Epoch& epoch,
    const std::uint32_t* known, bool is_recalled) {
  std::optional<Race> found;
  ++event_;
  Part part{event,       same,  0, warp,       epoch.clock, epoch.whole_sync,
            epoch.floor, known, 0, is_recalled};
  if (event.is_strong()) {
    if (event.is_store)
      access_cells<strong_store>(part, found);
    else
      access_cells<strong_read>(part, found);
  } else if (event.is_store) {
    part.conflicting = conflicting_write;
    as_found_.clear();
    for_cells(part, [&](std::uint32_t cell) { write_cell(cell, part, found); });
  } else {
    access_cells<weak_read>(part, found);
  }
  return found;
}

std::optional<SharedRaces::Race> SharedRaces::access(unsigned warp, const AccessEvent& event,
                                                     const StoresSameValue& same) {
  const auto found = access(warp, event, same, Epoch::now(order_, warp), order_.known(warp), false);
  synchronize(warp, event);
  return found;
}

void SharedRaces::recall(unsigned warp, const AccessEvent& event, const Epoch& epoch) {
  known_then_.assign(order_.warps(), epoch.floor);
  const auto anything = [](unsigned, unsigned) { return true; };
  access(warp, event, anything, epoch, known_then_.data(), true);
}

}  // namespace warpwise::watch
