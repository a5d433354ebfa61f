// What is told about each access to those that watch, and what is said of races.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "simulator/code/places.h"
#include "simulator/machine/addresses.h"
#include "simulator/machine/lanes.h"
#include "simulator/machine/worker.h"

namespace warpwise::machine {
namespace {

/// Where a block's shared memory would lie if all blocks had theirs side by side: no address that a
/// program could have.
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

watch::AccessEvent Worker::event_of(const code::Access& access, std::uint32_t mask,
                                    const std::uint64_t* addresses) const {
  watch::AccessEvent event;
  event.site = access.site;
  event.mask = mask;
  event.addresses = addresses;
  event.bytes = access.bytes();
  event.is_consecutive = false;
  event.is_shared = true;
  event.is_store = access.is_store;
  event.is_atomic = access.is_atomic;
  // An atomic looks again: a loop with both is right, though the guess is weak.
  event.is_guess = access.guess != code::Guess::none && !access.is_strong();
  event.order = event.is_guess ? code::Order::relaxed : access.order;
  // mbarriers publish by themselves, phase by phase.
  if (code::is_of_mbarrier(access.atomic) && access.is_strong()) event.order = code::Order::relaxed;
  event.scope = access.scope;
  event.is_non_coherent = access.is_non_coherent;
  return event;
}

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
/// @param memory what lies at address 0 of the space; null where other host threads may change it.
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
  // What copies update is not in registers.
  const bool is_atomic = current_->op == code::Op::atomic;
  const std::uint32_t unchanged =
      is_atomic ? lanes_that_change_nothing(access, event.mask, event.addresses, memory) : 0;
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
  part.is_store = part.is_atomic = false;
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
      part.is_store = part.is_atomic = is_update;
      part.mask = meant & (is_update ? ~unchanged : unchanged);
      if (part.mask) visit(part);
    }
  }
  return false;
}

void Worker::watch_access(const code::Access& access, bool is_shared, std::uint32_t mask,
                          const std::uint64_t* addresses, const watch::AddressShape& shape) {
  watch::AccessEvent event = event_of(access, mask, addresses);
  event.is_consecutive = shape.is_consecutive;
  event.is_shared = is_shared;
  event.is_beside_copy = is_shared && block_->copies.fill_for(warp_index_);
  // What goes to another block of the cluster is no access to shared memory for Nsight Compute.
  if (!is_shared || &owner() == block_) counters_.access(event, shape.pattern);
  if (program_.has_update_loops && is_shared && event.is_atomic) watch_update(event);
  if (trace_) [[unlikely]]
    trace_->access(event);
  if (!block_->order) return;
  if (!is_shared) return watch_global(access, event, shape);
  if (owner().copies.any()) check_copies(access, mask, addresses, shape);
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
          report_race(access, *race);
      });
  if (!is_whole) block_->races->synchronize(warp_index_, event);
}

/// Updates at the same time of a word that a loop updates, too.
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
  const auto race = cluster_races_->access(*block_->order, warp_index_, moved, values);
  if (!race) return;
  // Of a block's threads among each other at its own memory its own checker tells.
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

void Worker::watch_global(const code::Access& access, const watch::AccessEvent& event,
                          const watch::AddressShape& shape) {
  // Constants are never written while a launch runs, unless by other work; pieces of the heap are
  // handed from thread to thread.
  const memory::Kind kind = cached_[access.site]->kind;
  const bool is_mixed = several_allocations_ && grid_.memory.has_registered();
  const bool is_watched =
      kind != memory::Kind::heap && (kind != memory::Kind::constant || grid_.wants_footprint);
  if (is_watched && !is_mixed) {
    static const watch::StoredValues nothing;
    const std::uint64_t distance =
        kind == memory::Kind::registered ? 0 : grid_.memory.alias_distance();
    const bool is_wide = event.bytes > 32;  // than any vector
    if (is_wide || bulk_source_)
      watch_bulk(access, event, stored_values(access, distance));
    else if (access.is_store)
      find_global_race(access, event, shape, stored_values(access, distance));
    else
      find_global_race(access, event, shape, nothing);
  }
  if (access.is_strong() && grid_.has_one_history)
    block_->order->synchronize(warp_index_, event, sync_points_);
}

/// A bulk copy touches more at once than any lane of an instruction: it is gone through piece by
/// piece.
void Worker::watch_bulk(const code::Access& access, const watch::AccessEvent& event,
                        watch::StoredValues values) {
  alignas(64) std::uint64_t addresses[32];
  std::copy_n(event.addresses, 32, addresses);
  watch::AccessEvent piece = event;
  piece.addresses = addresses;
  piece.bytes = bulk_unit;
  piece.is_consecutive = false;
  values.element_bytes = 4;
  for (unsigned done = 0; done < event.bytes; done += bulk_unit) {
    for (unsigned word = 0; bulk_source_ && word < bulk_unit / 4; ++word) {
      values.data[word] = bulk_source_ + done + 4 * word;
      values.register_bytes[word] = 0;
    }
    find_global_race(access, piece, watch::AddressShape(piece), values);
    for (std::uint64_t& address : addresses) address += bulk_unit;
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
    if (auto race = global_watch_->access(*block_->order, warp_index_, touched,
                                          is_whole ? shape : watch::AddressShape(touched), values))
      report_global_race(access, *race);
  });
}

const code::Place& Worker::place_of(std::uint32_t site) const {
  return program_.places[program_.sites[site].place];
}

unsigned Worker::line_of(std::uint32_t site) const { return place_of(site).line; }

/// " (line 7)", or " (line 7 of tile.h)" where the access that is told of is in another file;
/// nothing where the line is not known.
std::string Worker::site_text(std::uint32_t here, std::uint32_t site) const {
  const std::string line = code::line_seen_from(place_of(here), place_of(site));
  return line.empty() ? line : fmt::format(" ({})", line);
}

std::string Worker::global_text(std::uint64_t address) const {
  const memory::Allocation* allocation = grid_.memory.find(address);
  if (!allocation) return fmt::format("address 0x{:x}", address);
  return fmt::format("offset {} of {}", address - allocation->base, allocation->describe());
}

bool Worker::is_of_library(std::uint32_t site) const {
  return program_.places[program_.sites[site].place].is_library;
}

bool Worker::is_atomic_site(std::uint32_t site) const {
  return std::any_of(
      program_.accesses.begin(), program_.accesses.end(),
      [&](const code::Access& access) { return access.is_atomic && access.site == site; });
}

/// Of two threads of a block, one of which reads: what may be missing.
std::string Worker::missing_between(const code::Access& access, std::uint32_t other_site,
                                    bool other_is_store, bool is_same_warp) const {
  if (is_of_library(access.site) && is_of_library(other_site))
    return "Do two operations of a library share their temporary storage? Put a __syncthreads() "
           "between them.";
  const code::Place &here = place_of(access.site), &other = place_of(other_site);
  const bool is_update = here.line != 0 && here.line == other.line && here.file == other.file &&
                         access.is_store != other_is_store;
  using enum code::AtomicOp;
  const bool has_lock =
      std::any_of(program_.accesses.begin(), program_.accesses.end(), [](const code::Access& each) {
        return each.is_atomic && (each.atomic == compare_and_swap || each.atomic == exchange);
      });
  std::string text =
      is_update
          ? "Are all to add to it? Then use an atomic, such as atomicAdd. If they hand values "
            "to each other, a __syncthreads() is missing between reads and writes."
          : "Is a __syncthreads() missing?";
  if (has_lock)
    text +=
        " If a lock or a flag is to order them: a __threadfence() before it is released or set, "
        "and one after it is taken or seen.";
  else if (is_same_warp)
    text += " Where no other warp uses it, a __syncwarp() is enough.";
  return text;
}

/// True where a library reads a word for the sake of some of its bytes, to make an atomic of them,
/// and the other access is to less than the word.
bool Worker::is_look_at_neighbours(std::uint32_t site, std::uint32_t other) const {
  return is_of_library(site) && program_.sites[other].bytes < program_.sites[site].bytes &&
         std::any_of(program_.accesses.begin(), program_.accesses.end(),
                     [&](const code::Access& each) {
                       return each.site == site && each.is_strong() && !each.is_store;
                     });
}

void Worker::report_race(const code::Access& access, const watch::SharedRaces::Race& race) {
  if (is_look_at_neighbours(access.site, race.other_site) ||
      is_look_at_neighbours(race.other_site, access.site))
    return;
  // Libraries let lanes store what they drop into one place, which nobody reads.
  if (access.is_store && race.other_is_store && race.other_thread / 32 == warp_index_ &&
      is_of_library(access.site) && is_of_library(race.other_site))
    return;
  watch::Finding found = finding("race", {}, race.lane);
  // A program may race at every access: sentences are made for the findings that are kept.
  if (diagnoses_.count_only(found)) return;
  found.other_line = line_of(race.other_site);
  found.message = fmt::format(
      "thread {} {} {} that thread {} {}{} with nothing in between to order them. {}",
      thread_text(warp_index_ * 32 + race.lane), verb(access),
      shared_text(static_cast<std::uint32_t>(race.address)), thread_text(race.other_thread),
      race.other_is_store ? "writes" : "reads", site_text(access.site, race.other_site),
      missing_between(access, race.other_site, race.other_is_store,
                      race.other_thread / 32 == warp_index_));
  diagnoses_.report(std::move(found));
}

void Worker::report_global_race(const code::Access& access, const watch::GlobalRaces::Race& race) {
  if (is_look_at_neighbours(access.site, race.other_site) ||
      is_look_at_neighbours(race.other_site, access.site))
    return;
  const std::uint64_t warps = block_->warps.size(), other_block = race.other_warp / warps;
  const auto other = static_cast<std::uint32_t>(race.other_warp % warps * 32 + race.other_lane);
  const bool is_own = other_block == block_->index;
  // Libraries let blocks wait for each other by relaxed accesses, after they have used what they
  // read: no order that the model knows, and all the same one that the hardware keeps.
  if (!is_own && !race.by_scope && !race.by_cache && is_of_library(access.site) &&
      is_of_library(race.other_site))
    return;
  watch::Finding found = finding("race", {}, race.lane);
  if (diagnoses_.count_only(found)) return;
  found.other_line = line_of(race.other_site);
  // Of several lanes at one place one is remembered, and it may be this one.
  const bool is_same = is_own && other == warp_index_ * 32 + race.lane;
  const std::string who =
      is_same  ? std::string("another lane of its warp")
      : is_own ? "thread " + thread_text(other)
               : fmt::format("thread {} of block {}", thread_text(other), block_text(other_block));
  const std::string why =
      race.by_scope
          ? ". Both do so atomically, but an operation whose scope is the block (atomicAdd_block, "
            "thread_scope_block) is atomic among the threads of its block alone. Use atomicAdd, or "
            "thread_scope_device."
      : race.by_cache
          ? " before, in this launch. __ldg() and const __restrict__ pointers read by a cache that "
            "need not see it, whatever orders the two. Leave them away where the memory is written "
            "in the same kernel."
      : access.is_store && race.other_is_store &&
              access.is_atomic != is_atomic_site(race.other_site)
          ? " with nothing in between to order them. One of the two accesses is atomic, the other "
            "is "
            "not: let both be, such as atomicExch to release a lock or set a flag."
      : is_own && access.is_store && !access.is_atomic && race.other_is_store
          ? " with nothing in between to order them. Are both to write there, or is an index or a "
            "guard wrong?"
      : is_own ? std::string(" with nothing in between to order them. ") +
                     missing_between(access, race.other_site, race.other_is_store,
                                     other / 32 == warp_index_)
      : grid_.launch.cooperative
          ? " with nothing in between to order them. Blocks meet at grid.sync() alone, not at "
            "__syncthreads(): is one missing, or a __threadfence() where a flag is set or seen?"
          : " with nothing in between to order them. Is a __threadfence() missing, before the "
            "flag is set or after it is seen?";
  found.message = fmt::format(
      "thread {} {} {} that {} {}{}{}", thread_text(warp_index_ * 32 + race.lane), verb(access),
      global_text(race.address), who, race.other_is_store ? "writes" : "reads",
      site_text(access.site, race.other_site), why);
  diagnoses_.report(std::move(found));
}

std::string Worker::block_text(std::uint64_t block) const {
  const watch::Index3& grid = grid_.launch.grid;
  return fmt::format("({}, {}, {})", block % grid[0], block / grid[0] % grid[1],
                     block / grid[0] / grid[1]);
}

/// Of blocks that nothing orders; after the last block, by one worker for all.
void Worker::report_races_between_blocks(watch::Diagnoses& diagnoses) const {
  for (const watch::RacesBetweenBlocks::Race& race : grid_.between_blocks->races()) {
    watch::Finding found;
    found.kind = "race";
    found.instruction = instruction_of(race.higher.site);
    found.block = race.higher.block;
    found.thread = race.higher.thread;
    found.count = race.cells;
    if (diagnoses.count_only(found)) continue;
    found.other_line = line_of(race.lower.site);
    auto does = [](const watch::RacesBetweenBlocks::Race::Side& side) {
      return side.kind == watch::Contact::read    ? "reads"
             : side.kind == watch::Contact::write ? "writes"
                                                  : "updates";
    };
    found.message = fmt::format(
        "thread {} {} {} that thread {} of block {} {}{}, and nothing orders blocks within a "
        "launch. Use an atomic, give each block a place of its own, or start a second kernel.",
        thread_text(race.higher.thread), does(race.higher), global_text(race.address),
        thread_text(race.lower.thread), block_text(race.lower.block), does(race.lower),
        site_text(race.higher.site, race.lower.site));
    diagnoses.report(std::move(found));
  }
}

void Worker::report_conflicts(watch::Diagnoses& diagnoses) const {
  auto footprint = std::make_shared<watch::Footprint>(grid_.between_blocks->footprint());
  footprint->complete(lines_of_sites());
  for (const Neighbours::Conflict& conflict : grid_.options.neighbours->compare(footprint))
    report_conflict(conflict, "that", diagnoses);
}

/// @param how what joins this access and the other in a sentence.
void Worker::report_conflict(const Neighbours::Conflict& conflict, const char* how,
                             watch::Diagnoses& diagnoses) const {
  watch::Finding found;
  found.kind = "race";
  found.instruction = instruction_of(conflict.site);
  found.block = conflict.block;
  found.thread = conflict.thread;
  found.count = conflict.count;
  found.message = fmt::format("thread {} {} {} {} {}", thread_text(conflict.thread), conflict.does,
                              global_text(conflict.address), how, conflict.other);
  diagnoses.report(std::move(found));
}

std::vector<unsigned> Worker::lines_of_sites() const {
  std::vector<unsigned> lines;
  for (const code::Site& site : program_.sites) lines.push_back(program_.places[site.place].line);
  return lines;
}

std::uint32_t Worker::instruction_of(std::uint32_t site) const {
  std::uint32_t at_place = 0;
  for (std::uint32_t i = 0; i < program_.code.size(); ++i) {
    const code::Instruction& instruction = program_.code[i];
    const bool is_access = instruction.op == code::Op::load || instruction.op == code::Op::store ||
                           instruction.op == code::Op::atomic;
    if (is_access && program_.accesses[instruction.access].site == site) return i;
    if (!at_place && instruction.place == program_.sites[site].place) at_place = i;
  }
  return at_place;
}

}  // namespace warpwise::machine
