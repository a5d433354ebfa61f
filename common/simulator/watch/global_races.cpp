#include "simulator/watch/global_races.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpwise::watch {
namespace {

/// Added to a cell's lane where others touched it, too.
constexpr std::uint8_t several_lanes = 0x80;
constexpr std::uint8_t lane_mask = 31;

/// More accesses to one line are not remembered: the oldest are forgotten.
constexpr std::size_t most_accesses = 48;

template <class Visit>
void for_cells(std::uint32_t cells, Visit visit) {
  for (; cells; cells &= cells - 1) visit(static_cast<unsigned>(std::countr_zero(cells)));
}

std::size_t hash(std::uint64_t number) { return number * 0x9e3779b97f4a7c15ull >> 20; }

std::uint16_t short_hash(std::uint32_t value) {
  return static_cast<std::uint16_t>(value * 0x9e3779b1u >> 16);
}

}  // namespace

GlobalRaces::GlobalRaces(bool narrow, bool keep_contacts)
    : shift_(cell_shift(narrow)), keep_contacts_(keep_contacts), slots_(1024) {}

void GlobalRaces::start_block() {
  used_ = 0;
  if (++epoch_ != 0) return;
  std::fill(slots_.begin(), slots_.end(), Slot{});
  epoch_ = 1;
}

GlobalRaces::Line& GlobalRaces::line(std::uint64_t number) {
  const std::size_t last = slots_.size() - 1;
  for (std::size_t at = hash(number) & last;; at = (at + 1) & last) {
    Slot& slot = slots_[at];
    if (slot.epoch == epoch_ && slot.number == number) return lines_[slot.index];
    if (slot.epoch == epoch_) continue;
    slot = {number, epoch_, static_cast<std::uint32_t>(used_)};
    if (used_ == lines_.size()) lines_.emplace_back();
    Line& line = lines_[used_++];
    line.number = number;
    line.contacts.clear();
    std::fill(std::begin(line.contacted), std::end(line.contacted), 0);
    line.accesses.clear();
    line.updaters.clear();
    if (used_ * 2 > slots_.size()) grow();
    return line;
  }
}

void GlobalRaces::grow() {
  slots_.assign(slots_.size() * 2, Slot{});
  const std::size_t last = slots_.size() - 1;
  for (std::size_t i = 0; i < used_; ++i) {
    std::size_t at = hash(lines_[i].number) & last;
    while (slots_[at].epoch == epoch_) at = (at + 1) & last;
    slots_[at] = {lines_[i].number, epoch_, static_cast<std::uint32_t>(i)};
  }
}

std::optional<GlobalRaces::Race> GlobalRaces::access(HappensBefore& order, unsigned warp,
                                                     const AccessEvent& event,
                                                     const StoredValues& values) {
  ++event_;
  Now now{order,
          event,
          values,
          warp,
          order.in_grid(warp),
          order.clock(warp),
          order.whole_sync(warp),
          std::nullopt};
  if (event.is_consecutive && event.mask == ~0u)
    consecutive(now);
  else
    lane_by_lane(now);
  return now.found;
}

void GlobalRaces::consecutive(Now& now) {
  const std::uint64_t first = now.event.addresses[0] >> shift_;
  const unsigned each = now.event.bytes >> shift_;
  const std::uint64_t end = first + 32ull * each;
  Part part;
  part.regular = true;
  part.shift = static_cast<std::uint8_t>(std::countr_zero(each));
  for (part.line = first / cells_per_line; part.line * cells_per_line < end; ++part.line) {
    const std::uint64_t start = part.line * cells_per_line;
    part.cells = ~0u;
    if (first > start) part.cells &= ~0u << (first - start);
    if (end < start + cells_per_line) part.cells &= ~0u >> (start + cells_per_line - end);
    part.base = static_cast<std::int16_t>(static_cast<std::int64_t>(start - first));
    for (int c = 0; c < 32; ++c)
      part.lanes[c] = static_cast<std::uint8_t>((c + part.base) >> part.shift) & lane_mask;
    add(now, part);
  }
}

void GlobalRaces::lane_by_lane(Now& now) {
  // Addresses are multiples of the width: no access reaches into two lines.
  const unsigned each = std::max(1u, now.event.bytes >> shift_);
  std::uint64_t first[32], lines[32];
  for (unsigned lane = 0; lane < 32; ++lane) {
    first[lane] = now.event.addresses[lane] >> shift_;
    lines[lane] = first[lane] / cells_per_line;
  }
  Part part;
  for (std::uint32_t left = now.event.mask; left;) {
    part.line = lines[std::countr_zero(left)];
    std::uint32_t lanes = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      lanes |= static_cast<std::uint32_t>(lines[lane] == part.line) << lane;
    lanes &= left;
    left &= ~lanes;
    part.cells = 0;
    part.several = false;
    for_cells(lanes, [&](unsigned lane) {
      const auto cell = static_cast<unsigned>(first[lane] % cells_per_line);
      const std::uint32_t cells = ~0u >> (32 - each) << cell;
      if (part.cells & cells)
        share(now, part, lane, cells);
      else
        std::memset(part.lanes + cell, static_cast<int>(lane), each);
      part.cells |= cells;
    });
    add(now, part);
  }
}

/// Another lane of the same instruction touches cells that the part has already.
void GlobalRaces::share(Now& now, Part& part, unsigned lane, std::uint32_t cells) const {
  part.several = true;
  if (!now.event.is_store || !now.weak())
    return for_cells(cells, [&](unsigned cell) { part.lanes[cell] |= several_lanes; });
  for_cells(cells, [&](unsigned cell) {
    const unsigned other = part.lanes[cell] & lane_mask;
    const std::uint64_t address = this->address(part, cell);
    auto stored = [&](unsigned by) {
      return now.values.stored(by, address - now.event.addresses[by], cell_bytes());
    };
    if (!now.found && stored(lane) != stored(other))
      now.found = Race{lane, address, now.warp_in_grid, other, true, now.event.site};
    part.lanes[cell] |= several_lanes;
  });
}

void GlobalRaces::add(Now& now, Part& part) {
  Line& line = this->line(part.line);
  const bool store = now.event.is_store, weak = now.weak();
  for (std::size_t i = 0; i < line.accesses.size();) {
    Line::Access& earlier = line.accesses[i];
    const std::uint32_t common = earlier.cells & part.cells;
    if (common == 0) {
      ++i;
      continue;
    }
    const bool conflicts = (earlier.store || store) && (earlier.weak || weak);
    const bool same_event = earlier.event == event_ && earlier.warp == now.warp_in_grid;
    const std::uint32_t together = same_event ? common & earlier.event_cells : 0;
    std::uint32_t before = ordered(now, earlier, part, common & ~together, conflicts);
    if (conflicts && !earlier.weak && earlier.store)
      before |= coherent(now, line, part, common & ~together & ~before);
    if (conflicts && common != before && !now.found) {
      report(now, earlier, part, together, true);
      report(now, earlier, part, common & ~together & ~before, false);
    }
    // Whoever comes after this access and races with none of it, races with none of the earlier.
    if ((store || !earlier.store) && (weak || !earlier.weak)) earlier.cells &= ~before;
    if (earlier.cells) {
      ++i;
    } else {
      if (i + 1 < line.accesses.size()) earlier = line.accesses.back();
      line.accesses.pop_back();
    }
  }
  record(now, line, part);
  if (store && !weak) keep_updaters(now, line, part);
  if (keep_contacts_) keep_contact(now, line, part);
}

/// The cells that this thread was the last to update. All atomics of a cell stand in one order: who
/// came last may go on with it, as it does to reset the counter that told it so.
std::uint32_t GlobalRaces::coherent(const Now& now, const Line& line, const Part& part,
                                    std::uint32_t cells) {
  std::uint32_t last = 0;
  if (line.updaters.empty()) return last;
  for_cells(cells, [&](unsigned cell) {
    if (line.updaters[cell] == now.warp_in_grid * 32 + part.lanes[cell] + 1) last |= 1u << cell;
  });
  return last;
}

void GlobalRaces::keep_updaters(const Now& now, Line& line, const Part& part) {
  line.updaters.resize(cells_per_line);
  for_cells(part.cells, [&](unsigned cell) {
    // Of several lanes nobody says which was the last.
    line.updaters[cell] = part.lanes[cell] < 32 ? now.warp_in_grid * 32 + part.lanes[cell] + 1 : 0;
  });
}

std::uint32_t GlobalRaces::lanes_at(const Now& now, const Part& part, unsigned cell) const {
  if (part.lanes[cell] < 32) return 1u << part.lanes[cell];
  std::uint32_t lanes = 0;
  for_cells(now.event.mask, [&](unsigned lane) {
    if (address(part, cell) - now.event.addresses[lane] < now.event.bytes) lanes |= 1u << lane;
  });
  return lanes;
}

/// The cells at which the earlier access comes before this one.
/// @param thoroughly false where not to know of an order does no harm.
std::uint32_t GlobalRaces::ordered(const Now& now, const Line::Access& earlier, const Part& part,
                                   std::uint32_t cells, bool thoroughly) const {
  const bool own_warp = earlier.warp == now.warp_in_grid;
  std::uint32_t before = 0;
  if (own_warp) {
    if (earlier.clock <= now.whole_sync) return cells;
    if (!earlier.several && !part.several) {
      if (std::memcmp(earlier.lanes, part.lanes, sizeof part.lanes) == 0) return cells;
      for_cells(cells, [&](unsigned cell) {
        if (earlier.lanes[cell] == part.lanes[cell]) before |= 1u << cell;
      });
    } else {
      for_cells(cells, [&](unsigned cell) {
        if (earlier.lanes[cell] == part.lanes[cell] && part.lanes[cell] < 32) before |= 1u << cell;
      });
    }
  } else if (earlier.warp / now.order.warps() == now.order.block()) {
    if (now.order.known(now.warp)[earlier.warp % now.order.warps()] >= earlier.clock) return cells;
  }
  if (!thoroughly || before == cells || !now.order.knows_more(now.warp)) return before;
  for_cells(cells & ~before, [&](unsigned cell) {
    if (!now.order.unordered_in_grid(now.warp, lanes_at(now, part, cell), earlier.warp,
                                     earlier.lanes[cell] & lane_mask, earlier.clock))
      before |= 1u << cell;
  });
  return before;
}

/// @param same_event null, or an access of the same instruction to compare with.
bool GlobalRaces::stores_same(const Now& now, const Part& part, unsigned cell,
                              const Line::Access* same_event) const {
  if (!now.event.is_store || !now.weak()) return false;
  const std::uint64_t at = address(part, cell);
  auto stored = [&](unsigned lane) {
    return now.values.stored(lane, at - now.event.addresses[lane], cell_bytes());
  };
  const std::uint32_t mine = stored(part.lanes[cell] & lane_mask);
  return mine == (same_event ? stored(same_event->lanes[cell] & lane_mask)
                             : now.values.in_memory(at, cell_bytes()));
}

void GlobalRaces::report(Now& now, const Line::Access& earlier, const Part& part,
                         std::uint32_t cells, bool same_event) const {
  for_cells(cells, [&](unsigned cell) {
    if (now.found) return;
    const unsigned lane = part.lanes[cell] & lane_mask, other = earlier.lanes[cell] & lane_mask;
    // Both are the lowest of several: of a lane with itself nothing is known.
    if (earlier.warp == now.warp_in_grid && lane == other && !part.several && !earlier.several)
      return;
    if (stores_same(now, part, cell, same_event ? &earlier : nullptr)) return;
    now.found = Race{lane, address(part, cell), earlier.warp, other, earlier.store, earlier.site};
  });
}

void GlobalRaces::record(const Now& now, Line& line, const Part& part) const {
  for (Line::Access& access : line.accesses) {
    if (access.warp != now.warp_in_grid || access.clock != now.clock ||
        access.site != now.event.site || access.store != now.event.is_store ||
        access.weak != now.weak())
      continue;
    const std::uint32_t fresh = part.cells & ~access.cells;
    for_cells(part.cells, [&](unsigned cell) {
      if (fresh >> cell & 1)
        access.lanes[cell] = part.lanes[cell];
      else if (access.lanes[cell] != part.lanes[cell])
        access.lanes[cell] |= several_lanes;
    });
    access.several |= part.several || fresh != part.cells;
    access.cells |= part.cells;
    access.event_cells = part.cells | (access.event == event_ ? access.event_cells : 0);
    access.event = event_;
    return;
  }
  if (line.accesses.size() >= most_accesses) line.accesses.erase(line.accesses.begin());
  Line::Access& access = line.accesses.emplace_back();
  access.cells = part.cells;
  access.clock = now.clock;
  access.site = now.event.site;
  access.event = event_;
  access.event_cells = part.cells;
  access.warp = now.warp_in_grid;
  access.weak = now.weak();
  access.store = now.event.is_store;
  access.several = part.several;
  std::memcpy(access.lanes, part.lanes, sizeof part.lanes);
}

void GlobalRaces::keep_contact(const Now& now, Line& line, const Part& part) const {
  const Contact::Kind kind = !now.weak()          ? Contact::strong
                             : now.event.is_store ? Contact::write
                                                  : Contact::read;
  if (kind == Contact::write) keep_values(now, line, part);
  std::uint32_t fresh = part.cells & ~line.contacted[kind];
  // What the block itself has written it reads again, unless another writes something else there.
  if (kind == Contact::read) fresh &= ~line.contacted[Contact::write];
  if (fresh == 0) return;
  line.contacted[kind] |= fresh;
  Contact contact{fresh,     now.event.site, static_cast<std::uint16_t>(now.warp),
                  part.base, part.shift,     kind};
  if (part.regular || is_regular(now, part, contact)) return join(line, contact);
  contact.shift = 5;
  while (fresh) {
    const std::uint8_t lane = part.lanes[std::countr_zero(fresh)] & lane_mask;
    contact.cells = 0;
    for_cells(fresh, [&](unsigned cell) {
      if ((part.lanes[cell] & lane_mask) == lane) contact.cells |= 1u << cell;
    });
    contact.base = static_cast<std::int16_t>(lane * 32);
    join(line, contact);
    fresh &= ~contact.cells;
  }
}

void GlobalRaces::keep_values(const Now& now, Line& line, const Part& part) const {
  const std::uint32_t* words = now.event.bytes == 4 ? now.values.words(cell_bytes()) : nullptr;
  if (words && part.regular && part.base == 0 && part.cells == ~0u) {
    for (int lane = 0; lane < 32; ++lane) line.values[lane] = short_hash(words[lane]);
    return;
  }
  for_cells(part.cells, [&](unsigned cell) {
    const unsigned lane = part.lanes[cell] & lane_mask;
    line.values[cell] =
        short_hash(words ? words[lane]
                         : now.values.stored(lane, address(part, cell) - now.event.addresses[lane],
                                             cell_bytes()));
  });
}

/// Finds the rule by which the lanes follow each other, if there is one, and puts it in.
bool GlobalRaces::is_regular(const Now& now, const Part& part, Contact& contact) const {
  const auto first = static_cast<unsigned>(std::countr_zero(contact.cells));
  const unsigned last = 31u - static_cast<unsigned>(std::countl_zero(contact.cells));
  const int lane = part.lanes[first] & lane_mask;
  const bool is_one = part.lanes[first] == part.lanes[last];
  contact.shift = static_cast<std::uint8_t>(
      is_one ? 5 : std::countr_zero(std::max(1u, now.event.bytes >> shift_)));
  contact.base = static_cast<std::int16_t>((lane << contact.shift) -
                                           static_cast<int>(first & ~0u << contact.shift));
  bool follows = true;
  for_cells(contact.cells, [&](unsigned cell) {
    follows &= contact.thread(cell) == contact.warp * 32u + (part.lanes[cell] & lane_mask);
  });
  return follows;
}

/// Adds the contact to one by the same rule.
void GlobalRaces::join(Line& line, const Contact& contact) {
  for (Contact& other : line.contacts)
    if (other.site == contact.site && other.warp == contact.warp && other.base == contact.base &&
        other.shift == contact.shift && other.kind == contact.kind) {
      other.cells |= contact.cells;
      return;
    }
  line.contacts.push_back(contact);
}

}  // namespace warpwise::watch
