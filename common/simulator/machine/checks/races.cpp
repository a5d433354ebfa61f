// What each access reports to the checks that watch.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>

#include "simulator/code/flow/places.h"
#include "simulator/machine/access/addresses.h"
#include "simulator/machine/warp/lanes.h"
#include "simulator/machine/worker.h"

namespace warpwise::machine {
namespace {

/// Where a block's shared memory would start if all blocks had theirs side by side: no address that
/// a program could have.
std::uint64_t cluster_address(const Block& block) {
  constexpr std::uint64_t start = 1ull << 56, most_bytes = 1ull << 20;
  return start + block.index * most_bytes;
}

/// Whether a byte stays as it is, by what an atomic is given for it.
/// @param second of a compare-and-swap, what it stores.
bool leaves_byte(code::AtomicOp op, std::byte first, std::byte second) {
  return op == code::AtomicOp::compare_and_swap ? first == second
         : op == code::AtomicOp::bit_and        ? first == std::byte{0xff}
                                                : first == std::byte{0};
}

}  // namespace

/// Memory in which the runtime lets parts of a block wait for each other.
void Worker::watch_reserved(const code::Access& access, std::uint32_t mask,
                            const std::uint64_t* addresses) {
  counters_.access(event_of(access, mask, addresses));
  if (block_->order && access.is_strong())
    block_->order->synchronize(warp_index_, event_of(access, mask, addresses),
                               block_->reserved_points);
}

/// Calls visit(event) for what an access may race with: all of it, but of an atomic of single bits
/// or of a compare-and-swap the bytes that it may change. It looks at the others, and a swap is
/// tried again where another thread has changed them meanwhile: so libraries make an atomic of one
/// byte in a word. An atomic that changes nothing, such as a compare-and-swap that fails, reads.
/// @param cell_shift log2 of the bytes of the narrowest access.
/// @param memory the bytes at address 0 of the space; null where other host threads may change it.
/// @return true where that was the access itself.
template <class Visit>
[[gnu::always_inline]] inline bool Worker::for_touched(const code::Access& access,
                                                       const watch::AccessEvent& event,
                                                       unsigned cell_shift, const std::byte* memory,
                                                       Visit visit) const {
  if (access.guess == code::Guess::swapped) return false;
  if (access.is_atomic) return for_touched_by_atomic(access, event, cell_shift, memory, visit);
  visit(event);
  return true;
}

template <class Visit>
bool Worker::for_touched_by_atomic(const code::Access& access, const watch::AccessEvent& event,
                                   unsigned cell_shift, const std::byte* memory,
                                   const Visit& visit) const {
  // The data of copies is not in registers.
  const bool is_atomic = current_->op == code::Op::atomic;
  const auto unchanged_with = [&](const std::byte* held) {
    return is_atomic ? atomics_.lanes_that_change_nothing(access, event.mask, event.addresses, held)
                     : 0;
  };
  const std::uint32_t unchanged = unchanged_with(memory);
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
  const bool may_update = unchanged != 0 && unchanged != unchanged_with(nullptr);
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
  const std::byte* first = warp_->slot(current_->s[0]);
  const std::byte* second = op == compare_and_swap ? warp_->slot(current_->s[1]) : first;
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

/// Counts an access to global memory, and the threads that take part in it.
void Worker::count_participants(const watch::AccessEvent& event,
                                watch::AddressShape::Pattern pattern) {
  const watch::Counters::GlobalCost before = counters_.global_cost(event.site);
  counters_.access(event, pattern);
  const watch::Counters::GlobalCost after = counters_.global_cost(event.site);
  participation_->access(event, {after.requests - before.requests, after.sectors - before.sectors},
                         block_->index * grid_.threads_per_block + std::uint64_t{warp_index_} * 32);
}

/// True while a copy to shared memory is in flight that was begun by this warp, or by one that only
/// begins copies and leaves the work to others.
bool Worker::is_beside_copy() const {
  return block_->copies.fill_for(warp_index_) || block_->copies.fill_for_others(block_->readers);
}

void Worker::watch_access(const code::Access& access, bool is_shared, std::uint32_t mask,
                          const std::uint64_t* addresses, const watch::AddressShape& shape) {
  watch::AccessEvent event = event_of(access, mask, addresses);
  event.is_consecutive = shape.is_consecutive;
  event.is_shared = is_shared;
  event.is_beside_copy = is_shared && is_beside_copy();
  if (is_shared && !access.is_store && !access.is_atomic) block_->readers |= 1u << warp_index_;
  const bool is_scattered = shape.pattern == watch::AddressShape::no_pattern;
  if (is_scattered && event.is_store && !is_shared && global_watch_)
    global_watch_->ask_for(mask, addresses);
  // For Nsight Compute an access to another block of the cluster is not one to shared memory.
  if (participation_ && !is_shared) [[unlikely]]
    count_participants(event, shape.pattern);
  else if (!is_shared || &owner() == block_)
    counters_.access(event, shape.pattern);
  if (program_.has_update_loops && is_shared && event.is_atomic) watch_update(event);
  if (trace_) [[unlikely]]
    trace_->access(event);
  if (!block_->order) return;
  if (!is_shared) return watch_global(access, event, shape);
  if (event.is_store && watches_proxies_)
    owner().ordinary_writes.write(mask, addresses, access.bytes(), !access.is_copy);
  if (owner().copies.any()) copy_checks_.check_in_flight(access, mask, addresses, shape);
  if (&owner() == block_ && block_->arrived_copies.any())
    copy_checks_.check_arrived(access, mask, addresses, shape);
  if (cluster_races_) watch_cluster(access, event);
  // Threads of other blocks have no clocks in a block's checker.
  if (!block_->races || &owner() != block_) return;
  auto same = [&](unsigned lane, unsigned other) {
    for (unsigned e = 0; e < access.elements; ++e) {
      if (access.data[e] == code::no_slot) return false;
      const std::byte* values = warp_->slot(access.data[e]);
      const std::byte* mine = values + std::size_t{lane} * access.register_bytes[e];
      const std::byte* theirs = other != watch::SharedRaces::none
                                    ? values + std::size_t{other} * access.register_bytes[e]
                                    : owner().shared.data() +
                                          (addresses[lane] - code::shared_base) +
                                          std::size_t{e} * access.element_bytes;
      if (std::memcmp(mine, theirs, access.element_bytes) != 0) return false;
    }
    return true;
  };
  const std::byte* const memory = block_->shared.data() - code::shared_base;
  const bool is_whole = for_touched(
      access, event, shared_cell_shift_, memory, [&](const watch::AccessEvent& touched) {
        if (auto race = block_->races->access(warp_index_, touched, std::ref(same)))
          race_reports_.report(access, *race);
      });
  if (!is_whole) block_->races->synchronize(warp_index_, event);
}

/// Simultaneous updates of a word that a loop also updates.
void Worker::watch_update(const watch::AccessEvent& event) {
  const bool is_own = &owner() == block_;
  if (!is_own || !block_->updates || block_->updates->add(warp_index_, event))
    counters_.updates_meet();
}

/// @param distance from an address to where the host sees it.
watch::StoredValues Worker::stored_values(const code::Access& access, std::uint64_t distance) {
  watch::StoredValues values;
  if (!access.is_store) return values;
  values.element_bytes = access.element_bytes;
  values.distance = distance;
  for (unsigned e = 0; e < access.elements; ++e) {
    if (access.data[e] != code::no_slot) values.data[e] = warp_->slot(access.data[e]);
    values.register_bytes[e] = access.register_bytes[e];
  }
  return values;
}

/// Threads of different blocks at a block's shared memory, which has addresses of its own for this.
void Worker::watch_cluster(const code::Access& access, const watch::AccessEvent& event) {
  // Flags order blocks in ways that are followed in global memory alone.
  const bool is_flag =
      event.is_strong() && (!event.is_atomic || event.order != code::Order::relaxed);
  if (is_flag || access.is_copy) return cluster_races_.reset();
  const Block& memory = owner();
  const std::uint64_t start = cluster_address(memory);
  alignas(64) std::uint64_t addresses[32];
  for (unsigned lane = 0; lane < 32; ++lane)
    addresses[lane] = start + (event.addresses[lane] - code::shared_base);
  watch::AccessEvent moved = event;
  moved.addresses = addresses;
  moved.is_shared = false;
  const watch::StoredValues values =
      stored_values(access, reinterpret_cast<std::uint64_t>(memory.shared.data()) - start);
  const auto race = cluster_races_->access(*block_->order, warp_index_, moved,
                                           watch::AddressShape(moved), values);
  if (!race) return;
  // Races of a block's threads with each other at its own memory are found by its own checker.
  const bool is_own = race->other_warp / block_->warps.size() == block_->index;
  if (!is_own || &memory != block_) report_cluster_race(access, *race);
}

void Worker::report_cluster_race(const code::Access& access, const watch::GlobalRaces::Race& race) {
  watch::Finding found = finding("race", {}, race.lane);
  if (diagnoses_.count_only(found)) return;
  found.other_line = line_of(race.other_site);
  const std::uint64_t warps = block_->warps.size(), other_block = race.other_warp / warps;
  const auto other = static_cast<std::uint32_t>(race.other_warp % warps * 32 + race.other_lane);
  const auto offset = static_cast<std::uint32_t>(race.address - cluster_address(owner()));
  found.message = fmt::format(
      "thread {} {} {} of block {} that thread {} of block {} {}{}, with nothing in between to "
      "order "
      "them. Is a cluster.sync() missing?",
      thread_text(warp_index_ * 32 + race.lane), verb(access),
      shared_text(code::shared_base + offset), block_text(owner().index), thread_text(other),
      block_text(other_block), race.other_is_store ? "writes" : "reads",
      site_text(access.site, race.other_site));
  diagnoses_.report(std::move(found));
}

/// Constants are never written while a launch runs, unless by other work. A piece of the heap may
/// be where another thread has freed one: the owner of that takes no part in a race.
bool Worker::is_watched(memory::Kind kind) const {
  if (kind == memory::Kind::constant) return grid_.wants_footprint;
  return kind != memory::Kind::heap || grid_.memory.laps() == grid_.laps_before;
}

void Worker::watch_global(const code::Access& access, const watch::AccessEvent& event,
                          const watch::AddressShape& shape) {
  const memory::Kind kind = cached_[access.site]->kind;
  const bool is_mixed = several_allocations_ && grid_.memory.has_registered();
  if (is_watched(kind) && !is_mixed) {
    static const watch::StoredValues nothing;
    const std::uint64_t distance =
        kind == memory::Kind::registered ? 0 : grid_.memory.alias_distance();
    // Than any vector, or none.
    const bool is_wide = event.bytes > 32 || !std::has_single_bit(event.bytes);
    if (is_wide || bulk_source_)
      watch_bulk(access, event, stored_values(access, distance));
    else if (access.is_store)
      find_global_race(access, event, shape, stored_values(access, distance));
    else
      find_global_race(access, event, shape, nothing);
  }
  if (!access.is_strong() || !grid_.has_one_history) return;
  if (!access.is_atomic && !several_allocations_ && cached_[access.site]->is_tracked)
    access.is_store ? keep_first_stores(event) : find_first_stores(event);
  block_->order->synchronize(warp_index_, event, sync_points_);
}

/// To be called before it is known that a thread has written there now.
void Worker::keep_first_stores(const watch::AccessEvent& event) {
  constexpr std::size_t most_kept = 1 << 20;
  constexpr auto never_written = static_cast<std::uint8_t>(memory::Validity::never_written);
  for_lanes(event.mask, [&](unsigned lane) {
    const std::uint64_t address = event.addresses[lane];
    const bool is_first = *grid_.memory.validity(address) == never_written;
    const auto kept = first_stores_.find(address);
    if (kept == first_stores_.end() && (!is_first || first_stores_.size() == most_kept)) return;
    first_stores_[address] = {block_->order->in_grid(warp_index_), lane,
                              block_->order->clock(warp_index_), event.site};
  });
}

/// Strong loads do not race with strong stores, but had they come first they would have found what
/// was never written. To be called before the load synchronises.
void Worker::find_first_stores(const watch::AccessEvent& event) {
  // CUB and cooperative groups know of orders that the model does not.
  if (first_stores_.empty() || place_of(event.site).is_cubs || is_of_group(event.site)) return;
  const watch::HappensBefore& order = *block_->order;
  const FirstStore* first = nullptr;
  unsigned first_lane = 0;
  std::uint64_t count = 0;
  for_lanes(event.mask, [&](unsigned lane) {
    const auto kept = first_stores_.find(event.addresses[lane]);
    if (kept == first_stores_.end()) return;
    const FirstStore& store = kept->second;
    if (store.warp / order.warps() == order.block() ||
        !order.unordered_in_grid(warp_index_, 1u << lane, store.warp, store.lane, store.clock) ||
        count++ != 0)
      return;
    first = &store;
    first_lane = lane;
  });
  if (count == 0) return;
  watch::Finding found = finding("uninitialized", {}, first_lane);
  found.count = count;
  found.memory = watch::Finding::Memory::global;
  if (diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "thread {} reads {}, which nothing had written before this launch, and which thread {} of "
      "block {} writes{}. Nothing orders the two: in another run it may find the old content. Set "
      "a flag or counter before the launch, by cudaMemset. Wait for data by a flag, with a "
      "__threadfence() before it is set, and one after it is seen.",
      thread_text(warp_index_ * 32 + first_lane), global_text(event.addresses[first_lane]),
      thread_text(static_cast<std::uint32_t>(first->warp % order.warps() * 32 + first->lane)),
      block_text(first->warp / order.warps()), site_text(event.site, first->site));
  diagnoses_.report(std::move(found));
}

/// A bulk copy touches more at once than any lane of an instruction: it is gone through piece by
/// piece.
void Worker::watch_bulk(const code::Access& access, const watch::AccessEvent& event,
                        watch::StoredValues values) {
  alignas(64) std::uint64_t addresses[32];
  std::copy_n(event.addresses, 32, addresses);
  watch::AccessEvent piece = event;
  piece.addresses = addresses;
  piece.is_consecutive = false;
  for (unsigned done = 0; done < event.bytes; done += piece.bytes) {
    // The end of a row of a tensor may be anything.
    const unsigned left = std::max(event.bytes - done, 1u << global_cell_shift_);
    piece.bytes = std::min(bulk_unit, std::bit_floor(left));
    values.element_bytes = std::min(4u, piece.bytes);
    for (unsigned element = 0; bulk_source_ && element < piece.bytes / values.element_bytes;
         ++element) {
      values.data[element] = bulk_source_ + done + element * values.element_bytes;
      values.register_bytes[element] = 0;
    }
    find_global_race(access, piece, watch::AddressShape(piece), values);
    for (std::uint64_t& address : addresses) address += piece.bytes;
  }
}

void Worker::find_global_race(const code::Access& access, const watch::AccessEvent& event,
                              const watch::AddressShape& shape, const watch::StoredValues& values) {
  const bool is_registered = cached_[access.site]->kind == memory::Kind::registered;
  const bool is_in_order = grid_.has_one_history || grid_.blocks == 1;
  const auto* const memory = reinterpret_cast<const std::byte*>(
      is_registered || !is_in_order ? 0 : grid_.memory.alias_distance());
  for_touched(access, event, global_cell_shift_, memory, [&](const watch::AccessEvent& touched) {
    const bool is_whole = &touched == &event;
    const watch::AddressShape of_touched = is_whole ? shape : watch::AddressShape(touched);
    const auto race =
        grid_races_
            ? grid_races_->access(*block_->order, warp_index_, touched, of_touched, values)
            : global_watch_->access(*block_->order, warp_index_, touched, of_touched, values);
    if (race) race_reports_.report(access, *race);
  });
}

}  // namespace warpwise::machine
