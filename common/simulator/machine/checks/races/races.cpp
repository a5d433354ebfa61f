#include "simulator/machine/checks/races/races.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>

#include "simulator/code/flow/places.h"
#include "simulator/machine/access/addresses.h"
#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

/// Whether a byte stays as it is, by what an atomic is given for it.
/// @param second of a compare-and-swap, what it stores.
bool leaves_byte(code::AtomicOp op, std::byte first, std::byte second) {
  return op == code::AtomicOp::compare_and_swap ? first == second
         : op == code::AtomicOp::bit_and        ? first == std::byte{0xff}
                                                : first == std::byte{0};
}

}  // namespace

void Races::watch_reserved(const code::Access& access, std::uint32_t mask,
                           const std::uint64_t* addresses) {
  here_.counters_.access(here_.event_of(access, mask, addresses));
  if (here_.block_->order && access.is_strong())
    here_.block_->order->synchronize(here_.warp_index_, here_.event_of(access, mask, addresses),
                                     here_.block_->reserved_points);
}

/// Calls visit(event) for what an access may race with: all of it, but of an atomic of single bits
/// or of a compare-and-swap the bytes that it may change. It looks at the others, and a swap is
/// tried again where another thread has changed them meanwhile: so libraries make an atomic of one
/// byte in a word. An atomic that changes nothing, such as a compare-and-swap that fails, reads.
/// @param cell_shift log2 of the bytes of the narrowest access.
/// @param distance from an address of the space to where this process has its byte; 0 where other
/// host threads may change that.
/// @return true where that was the access itself.
template <class Visit>
[[gnu::always_inline]] inline bool Races::for_touched(const code::Access& access,
                                                      const watch::AccessEvent& event,
                                                      unsigned cell_shift, std::uint64_t distance,
                                                      Visit visit) const {
  if (access.optimistic_read == code::OptimisticRead::swapped) return false;
  if (access.is_atomic) return for_touched_by_atomic(access, event, cell_shift, distance, visit);
  visit(event);
  return true;
}

template <class Visit>
bool Races::for_touched_by_atomic(const code::Access& access, const watch::AccessEvent& event,
                                  unsigned cell_shift, std::uint64_t distance,
                                  const Visit& visit) const {
  // The data of copies is not in registers.
  const bool is_atomic = here_.current_->op == code::Op::atomic;
  const auto unchanged_with = [&](std::uint64_t held) {
    return is_atomic
               ? parts_.atomics.lanes_that_change_nothing(access, event.mask, event.addresses, held)
               : 0;
  };
  const std::uint32_t unchanged = unchanged_with(distance);
  const unsigned cell = 1u << cell_shift;
  using enum code::AtomicOp;
  const code::AtomicOp op = access.atomic;
  const bool is_by_bytes = op == compare_and_swap || op == bit_or || op == bit_xor || op == bit_and;
  const bool is_in_parts = is_atomic && is_by_bytes && access.elements == 1 && cell < 4;
  if (!unchanged && !is_in_parts) {
    visit(event);
    return true;
  }
  watch::AccessEvent part = event;
  part.is_consecutive = false;
  // An update that misses comes as often as one that does not; what never updates is how threads
  // wait, again and again.
  const bool may_update = unchanged != 0 && unchanged != unchanged_with(0);
  part.is_store = false;
  part.is_atomic = may_update;
  part.mask = unchanged;
  if (!is_in_parts) {
    if (part.mask) visit(part);
    part.is_store = part.is_atomic = true;
    part.mask = event.mask & ~unchanged;
    if (part.mask) visit(part);
    return false;
  }
  const std::byte* first = here_.warp_->slot(here_.current_->s[0]);
  const std::byte* second =
      op == compare_and_swap ? here_.warp_->slot(here_.current_->s[1]) : first;
  alignas(64) std::uint64_t addresses[32];
  part.addresses = addresses;
  part.bytes = cell;
  for (unsigned offset = 0; offset < event.bytes; offset += cell) {
    std::uint32_t meant = 0;  // lanes whose operands are about these bytes
    for_lanes(event.mask, [&](unsigned lane) {
      const std::size_t at = std::size_t{lane} * event.bytes + offset;
      for (unsigned byte = 0; byte < cell; ++byte)
        if (!leaves_byte(op, first[at + byte], second[at + byte])) meant |= 1u << lane;
      addresses[lane] = event.addresses[lane] + offset;
    });
    for (const bool is_update : {false, true}) {
      part.is_store = is_update;
      part.is_atomic = is_update || may_update;
      part.mask = meant & (is_update ? ~unchanged : unchanged);
      if (part.mask) visit(part);
    }
  }
  return false;
}

void Races::count_participants(const watch::AccessEvent& event,
                               watch::AddressShape::Pattern pattern) {
  const watch::Counters::GlobalCost before = here_.counters_.global_cost(event.site);
  here_.counters_.access(event, pattern);
  const watch::Counters::GlobalCost after = here_.counters_.global_cost(event.site);
  here_.participation_->access(
      event, {after.requests - before.requests, after.sectors - before.sectors},
      here_.block_->index * here_.grid_.threads_per_block + std::uint64_t{here_.warp_index_} * 32);
}

/// True while a copy to shared memory is in flight that was begun by this warp, or by one that only
/// begins copies and leaves the work to others.
bool Races::is_during_copy() const {
  return here_.block_->copies.fill_for(here_.warp_index_) ||
         here_.block_->copies.fill_for_others(here_.block_->readers);
}

void Races::watch_access(const code::Access& access, bool is_shared, std::uint32_t mask,
                         const std::uint64_t* addresses, const watch::AddressShape& shape) {
  watch::AccessEvent event = here_.event_of(access, mask, addresses);
  event.is_consecutive = shape.is_consecutive;
  event.is_shared = is_shared;
  event.is_during_copy = is_shared && is_during_copy();
  if (is_shared && !access.is_store && !access.is_atomic)
    here_.block_->readers |= 1u << here_.warp_index_;
  const bool is_scattered = shape.pattern == watch::AddressShape::no_pattern;
  if (is_scattered && event.is_store && !is_shared && global_watch_)
    global_watch_->ask_for(mask, addresses);
  // For Nsight Compute an access to another block of the cluster is not one to shared memory.
  if (here_.participation_ && !is_shared) [[unlikely]]
    count_participants(event, shape.pattern);
  else if (!is_shared || &here_.owner() == here_.block_)
    here_.counters_.access(event, shape.pattern);
  if (here_.program_.has_update_loops && is_shared && event.is_atomic) watch_update(event);
  if (here_.trace_) [[unlikely]]
    here_.trace_->access(event);
  if (!here_.block_->order) return;
  if (!is_shared) return watch_global(access, event, shape);
  if (event.is_store && here_.watches_proxies_)
    here_.owner().ordinary_writes.write(mask, addresses, access.bytes(), !access.is_copy);
  if (here_.owner().copies.any())
    parts_.copy_checks.check_in_flight(access, mask, addresses, shape);
  if (&here_.owner() == here_.block_ && here_.block_->arrived_copies.any())
    parts_.copy_checks.check_arrived(access, mask, addresses, shape);
  if (cluster_races_) watch_cluster(access, event);
  // Threads of other blocks have no clocks in a block's checker.
  if (!here_.block_->races || &here_.owner() != here_.block_) return;
  auto same = [&](unsigned lane, unsigned other) {
    for (unsigned e = 0; e < access.elements; ++e) {
      if (access.data[e] == code::no_slot) return false;
      const std::byte* values = here_.warp_->slot(access.data[e]);
      const std::byte* mine = values + std::size_t{lane} * access.register_bytes[e];
      const std::byte* theirs = other != watch::SharedRaces::none
                                    ? values + std::size_t{other} * access.register_bytes[e]
                                    : here_.owner().shared.data() +
                                          (addresses[lane] - code::shared_base) +
                                          std::size_t{e} * access.element_bytes;
      if (std::memcmp(mine, theirs, access.element_bytes) != 0) return false;
    }
    return true;
  };
  const std::uint64_t distance =
      reinterpret_cast<std::uint64_t>(here_.block_->shared.data()) - code::shared_base;
  const bool is_whole = for_touched(
      access, event, shared_cell_shift_, distance, [&](const watch::AccessEvent& touched) {
        if (auto race = here_.block_->races->access(here_.warp_index_, touched, std::ref(same)))
          parts_.race_reports.report(access, *race);
      });
  if (!is_whole) here_.block_->races->synchronize(here_.warp_index_, event);
}

/// Simultaneous updates of a word that a loop also updates.
void Races::watch_update(const watch::AccessEvent& event) {
  const bool is_own = &here_.owner() == here_.block_;
  if (!is_own || !here_.block_->updates || here_.block_->updates->add(here_.warp_index_, event))
    here_.counters_.updates_meet();
}

/// @param distance from an address to where the host sees it.
watch::StoredValues Races::stored_values(const code::Access& access, std::uint64_t distance) {
  watch::StoredValues values;
  if (!access.is_store) return values;
  values.element_bytes = access.element_bytes;
  values.distance = distance;
  for (unsigned e = 0; e < access.elements; ++e) {
    if (access.data[e] != code::no_slot) values.data[e] = here_.warp_->slot(access.data[e]);
    values.register_bytes[e] = access.register_bytes[e];
  }
  return values;
}

/// Constants are never written while a launch runs, unless by other work. A piece of the heap may
/// be where another thread has freed one: the owner of that takes no part in a race.
bool Races::is_watched(memory::Kind kind) const {
  if (kind == memory::Kind::constant) return here_.grid_.wants_footprint;
  return kind != memory::Kind::heap || here_.grid_.memory.laps() == here_.grid_.laps_before;
}

void Races::watch_global(const code::Access& access, const watch::AccessEvent& event,
                         const watch::AddressShape& shape) {
  const memory::Kind kind = here_.cached_[access.site]->kind;
  const bool is_mixed = here_.several_allocations_ && here_.grid_.memory.has_registered();
  if (is_watched(kind) && !is_mixed) {
    static const watch::StoredValues nothing;
    const std::uint64_t distance =
        kind == memory::Kind::registered ? 0 : here_.grid_.memory.alias_distance();
    // Than any vector, or none.
    const bool is_wide = event.bytes > 32 || !std::has_single_bit(event.bytes);
    if (is_wide || here_.bulk_source_)
      watch_bulk(access, event, stored_values(access, distance));
    else if (access.is_store)
      find_global_race(access, event, shape, stored_values(access, distance));
    else
      find_global_race(access, event, shape, nothing);
  }
  if (!access.is_strong()) return;
  if (!access.is_atomic) parts_.lost_updates.watch(event);
  if (!here_.grid_.has_one_history) return;
  if (!access.is_atomic && !here_.several_allocations_ && here_.cached_[access.site]->is_tracked)
    access.is_store ? parts_.first_stores.keep(event) : parts_.first_stores.find(event);
  here_.block_->order->synchronize(here_.warp_index_, event, sync_points_);
}

/// A bulk copy touches more at once than any lane of an instruction: it is gone through piece by
/// piece.
void Races::watch_bulk(const code::Access& access, const watch::AccessEvent& event,
                       watch::StoredValues values) {
  alignas(64) std::uint64_t addresses[32];
  std::copy_n(event.addresses, 32, addresses);
  watch::AccessEvent piece = event;
  piece.addresses = addresses;
  piece.is_consecutive = false;
  for (unsigned done = 0; done < event.bytes; done += piece.bytes) {
    // The end of a row of a tensor may be anything.
    const unsigned left = std::max(event.bytes - done, 1u << here_.global_cell_shift_);
    piece.bytes = std::min(bulk_unit, std::bit_floor(left));
    values.element_bytes = std::min(4u, piece.bytes);
    for (unsigned element = 0; here_.bulk_source_ && element < piece.bytes / values.element_bytes;
         ++element) {
      values.data[element] = here_.bulk_source_ + done + element * values.element_bytes;
      values.register_bytes[element] = 0;
    }
    find_global_race(access, piece, watch::AddressShape(piece), values);
    for (std::uint64_t& address : addresses) address += piece.bytes;
  }
}

void Races::find_global_race(const code::Access& access, const watch::AccessEvent& event,
                             const watch::AddressShape& shape, const watch::StoredValues& values) {
  const bool is_registered = here_.cached_[access.site]->kind == memory::Kind::registered;
  const bool is_in_order = here_.grid_.has_one_history || here_.grid_.blocks == 1;
  const auto distance = static_cast<std::uint64_t>(
      is_registered || !is_in_order ? 0 : here_.grid_.memory.alias_distance());
  for_touched(
      access, event, here_.global_cell_shift_, distance, [&](const watch::AccessEvent& touched) {
        const bool is_whole = &touched == &event;
        const watch::AddressShape of_touched = is_whole ? shape : watch::AddressShape(touched);
        const auto race = grid_races_
                              ? grid_races_->access(*here_.block_->order, here_.warp_index_,
                                                    touched, of_touched, values)
                              : global_watch_->access(*here_.block_->order, here_.warp_index_,
                                                      touched, of_touched, values);
        if (race) parts_.race_reports.report(access, *race);
      });
}

}  // namespace warpwise::machine
