#include "simulator/machine/copies/async_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/isa/fast_loops.h"
#include "simulator/machine/access/addresses.h"
#include "simulator/machine/copies/mbarrier.h"
#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

using code::Space;

/// Lanes whose value is lower.
WARPWISE_FAST_LOOPS std::uint32_t lanes_below(const std::uint32_t* values, std::uint32_t limit) {
  std::uint32_t lanes = 0;
  for (unsigned lane = 0; lane < 32; ++lane) lanes |= std::uint32_t{values[lane] < limit} << lane;
  return lanes;
}

}  // namespace

/// Lanes of a cp.async that do not copy all, by its last operand: how many bytes, or a predicate
/// that says to copy none.
/// @param asked out: lanes that copy anything.
std::uint32_t AsyncCopies::lanes_that_copy_all(const code::Operation::Value& limit, unsigned bytes,
                                               std::uint32_t mask, std::uint32_t& asked) {
  asked = mask;
  if (!limit.is_there()) return mask;
  if (limit.bytes == 0) return asked = mask & ~here_.warp_->mask_at(limit.slot);
  const auto* const values = reinterpret_cast<const std::uint32_t*>(here_.warp_->slot(limit.slot));
  asked = mask & ~lanes_below(values, 1);
  return mask & ~lanes_below(values, bytes);
}

void AsyncCopies::copy_async(const code::Instruction& instruction, const code::Operation& operation,
                             std::uint32_t mask) {
  const code::Access &from = here_.program_.accesses[operation.from],
                     &to = here_.program_.accesses[operation.to];
  alignas(64) std::uint64_t sources[32], addresses[32];
  parts_.accesses.lane_addresses(from, sources);
  parts_.accesses.lane_addresses(to, addresses);
  std::uint32_t asked = mask;
  const std::uint32_t whole = lanes_that_copy_all(operation.s[0], from.bytes(), mask, asked);
  const bool is_pieced = asked != whole;
  if (is_pieced) here_.counters_.leave_out(from.site);
  if (whole) parts_.accesses.execute(instruction, from, whole);
  if (whole != mask) copy_partly(from, operation, mask & ~whole);
  if (is_pieced) {
    here_.counters_.leave_out(watch::Counters::no_site);
    // One request for all of it (measured).
    watch::AccessEvent event = here_.event_of(from, asked, sources);
    event.is_shared = false;
    if (here_.participation_)
      parts_.races.count_participants(event, watch::AddressShape::no_pattern);
    else
      here_.counters_.access(event);
  }
  parts_.accesses.execute(instruction, to, mask);
  CopiesInFlight::Copy copy;
  copy.site = to.site;
  copy.warp = here_.warp_index_;
  copy.lanes = mask;
  copy.bytes = to.bytes();
  // Bytes that only become zeros are not asked for (measured).
  const std::uint64_t sectors_before = here_.counters_.global_cost(from.site).sectors;
  here_.counters_.bypassing_copy(from.site, asked, sources, addresses);
  if (here_.participation_ && asked)
    here_.participation_->add_cost(
        here_.event_of(from, asked, sources),
        {0, here_.counters_.global_cost(from.site).sectors - sectors_before});
  std::copy(addresses, addresses + 32, copy.at.begin());
  if (here_.block_->arrived_copies.any()) here_.block_->arrived_copies.begin(copy);
  here_.block_->copies.add(copy);
}

/// Lanes that copy less than the size: the rest is zeros.
void AsyncCopies::copy_partly(const code::Access& from, const code::Operation& operation,
                              std::uint32_t lanes) {
  std::uint64_t addresses[32];
  parts_.accesses.lane_addresses(from, addresses);
  for (unsigned e = 0; e < from.elements; ++e) here_.warp_->undefined().define(from.data[e], lanes);
  for_lanes(lanes, [&](unsigned lane) {
    std::byte value[16] = {};
    std::uint64_t limit = operation.s[0].bytes ? here_.lane_value(operation.s[0], lane) : 0;
    if (limit) {
      code::Access piece = from;
      piece.element_bytes = static_cast<std::uint32_t>(limit);
      piece.elements = 1;
      piece.data[0] = code::no_slot;
      parts_.bounds.check_alignment(from, Space::global, 1u << lane, addresses);
      std::memcpy(value, reach(piece, lane, addresses[lane]).bytes, limit);
    }
    for (unsigned e = 0; e < from.elements; ++e)
      std::memcpy(here_.warp_->slot(from.data[e]) + std::size_t{lane} * from.element_bytes,
                  value + std::size_t{e} * from.element_bytes, from.element_bytes);
  });
}

AsyncCopies::Reached AsyncCopies::reach(const code::Access& access, unsigned lane,
                                        std::uint64_t address) {
  std::uint64_t addresses[32] = {};
  addresses[lane] = address;
  std::uint32_t lanes = 1u << lane;
  auto shape = [&] { return watch::AddressShape(addresses, lanes, access.bytes()); };
  if (access.space == Space::global) {
    parts_.bounds.check_global(access, lanes, addresses, shape());
    here_.deferred_adds_.write();
    if (parts_.other_launches.are_watched()) parts_.other_launches.note(access, lanes, addresses);
    parts_.races.watch_access(access, false, lanes, addresses, shape());
    const memory::Allocation& allocation = *here_.cached_[access.site];
    const bool is_known = access.is_store ? allocation.is_tracked : allocation.has_all_writes();
    if (is_known && !access.is_store) parts_.uninitialized.read_derived(address, access.bytes());
    return {nullptr, reinterpret_cast<std::byte*>(here_.grid_.memory.host(address)),
            is_known ? here_.grid_.memory.validity(address) : nullptr};
  }
  struct Restore {
    Block*& owner;
    ~Restore() { owner = nullptr; }
  } restore{here_.owner_};
  if (parts_.bounds.check_shared(access, lanes, addresses, shape()) == Bounds::SharedOf::cluster) {
    here_.owner_ =
        &parts_.cluster.named_block(access.is_store ? "writes" : "reads", lanes, addresses);
    parts_.bounds.check_shared(access, lanes, addresses, shape());
  }
  parts_.races.watch_access(access, true, lanes, addresses, shape());
  std::size_t offset = addresses[lane] - code::shared_base;
  return {&here_.owner(), here_.owner().shared.data() + offset,
          here_.owner().shared_validity.data() + offset};
}

void AsyncCopies::copy_bulk(const code::Instruction& instruction, const code::Operation& operation,
                            std::uint32_t mask) {
  std::uint64_t targets[32], barriers[32] = {};
  parts_.accesses.lane_addresses(here_.program_.accesses[operation.to], targets);
  const bool tells = operation.barrier != code::Operation::no_access;
  if (tells) parts_.accesses.lane_addresses(here_.program_.accesses[operation.barrier], barriers);
  for_lanes(mask, [&](unsigned lane) {
    if (!operation.is_multicast)
      return copy_bulk_lane(instruction, operation, lane, targets[lane], barriers[lane]);
    for_named_blocks(here_.lane_value(operation.s[1], lane), [&](std::uint64_t name) {
      copy_bulk_lane(instruction, operation, lane, in_block(name, targets[lane]),
                     in_block(name, barriers[lane]));
    });
  });
}

void AsyncCopies::copy_bulk_lane(const code::Instruction& instruction,
                                 const code::Operation& operation, unsigned lane,
                                 std::uint64_t target, std::uint64_t barrier) {
  code::Access from = here_.program_.accesses[operation.from],
               to = here_.program_.accesses[operation.to];
  std::uint64_t sources[32];
  parts_.accesses.lane_addresses(from, sources);
  auto bytes = static_cast<std::uint32_t>(here_.lane_value(operation.s[0], lane));
  if ((bytes | target | sources[lane]) % bulk_unit)
    here_.fault(here_.finding(
        "misaligned",
        fmt::format("thread {} copies {} bytes in bulk: both addresses (remainders {} of "
                    "the source and {} of the target) and the size must be multiples "
                    "of {}.",
                    here_.thread_text(here_.warp_index_ * 32 + lane), bytes,
                    sources[lane] % bulk_unit, target % bulk_unit, bulk_unit),
        lane));
  if (bytes == 0) return;
  from.element_bytes = bytes;
  Reached source = reach(from, lane, sources[lane]);
  check_proxies(source, lane, bytes);
  if (source.owner)
    parts_.uninitialized.check_bulk_source(sources[lane], {source.valid, bytes}, lane,
                                           to.is_atomic);
  if (to.is_atomic)
    reduce_bulk(instruction, operation, lane, target, {source.bytes, bytes});
  else
    move_bulk(to, lane, target, source, bytes);
  CopiesInFlight::Copy copy;
  copy.site = to.site;
  copy.updates = to.is_atomic;
  copy.bytes = bytes;
  copy.warp = here_.warp_index_;
  copy.lanes = 1u << lane;
  copy.of = CopiesInFlight::Of::bulk;
  if (operation.barrier != code::Operation::no_access) {
    const code::Piece whole = {0, bytes};
    return complete_copy(instruction, operation, copy, target, barrier, {&whole, 1});
  }
  here_.block_->bulk_targets.add({target, bytes, here_.warp_index_, lane, to.site, to.is_atomic});
  copy.only_reads = true;
  copy.site = from.site;
  copy.at[lane] = static_cast<std::uint32_t>(sources[lane]);
  here_.block_->copies.add(copy);
}

void AsyncCopies::check_proxies(const Reached& source, unsigned lane, std::uint32_t bytes) {
  if (!source.owner) return;
  const auto address =
      static_cast<std::uint64_t>(source.bytes - source.owner->shared.data()) + code::shared_base;
  if (here_.block_->order && source.owner->ordinary_writes.any_unfenced(address, bytes))
    parts_.copy_checks.report_missing_proxy_fence(
        fmt::format("thread {} copies from", here_.thread_text(here_.warp_index_ * 32 + lane)),
        lane, address);
}

void AsyncCopies::move_bulk(code::Access to, unsigned lane, std::uint64_t target,
                            const Reached& source, std::uint32_t bytes) {
  to.element_bytes = bytes;
  here_.bulk_source_ = source.bytes;
  Reached into = reach(to, lane, target);
  here_.bulk_source_ = nullptr;
  std::memmove(into.bytes, source.bytes, bytes);
  if (into.valid && source.valid)
    std::memmove(into.valid, source.valid, bytes);
  else if (into.valid)
    std::memset(into.valid, static_cast<int>(memory::Validity::defined), bytes);
  ++here_.changes_;
}

/// One update for each element.
void AsyncCopies::reduce_bulk(const code::Instruction& instruction,
                              const code::Operation& operation, unsigned lane, std::uint64_t target,
                              std::span<const std::byte> source) {
  const code::Access& to = here_.program_.accesses[operation.to];
  const code::Operation::Value& element = operation.s[2];
  code::Instruction update = instruction;
  update.s[0] = element.slot;
  std::byte* value = here_.warp_->slot(element.slot) + std::size_t{lane} * element.bytes;
  for (std::size_t at = 0; at < source.size(); at += element.bytes) {
    std::memcpy(value, source.data() + at, element.bytes);
    std::uint64_t addresses[32] = {};
    addresses[lane] = target + at;
    parts_.accesses.access_space(update, to, to.space, 1u << lane, addresses);
  }
}

void AsyncCopies::complete_copy(const code::Instruction& instruction,
                                const code::Operation& operation, CopiesInFlight::Copy copy,
                                std::uint64_t target, std::uint64_t barrier,
                                std::span<const code::Piece> pieces) {
  auto lane = static_cast<unsigned>(std::countr_zero(copy.lanes));
  const code::Access& update = here_.program_.accesses[operation.barrier];
  std::uint64_t targets[32] = {}, barriers[32] = {}, local[32] = {};
  targets[lane] = target;
  barriers[lane] = local[lane] = barrier;
  std::uint32_t lanes = copy.lanes;
  Block& owner = parts_.cluster.named_block("writes", lanes, targets);
  Block& counter = parts_.cluster.named_block("updates", lanes, local);
  if (&owner == &counter && local[lane] - code::shared_base < here_.grid_.shared_bytes) {
    std::uint64_t word;
    std::memcpy(&word, owner.shared.data() + (local[lane] - code::shared_base), sizeof word);
    copy.barrier = static_cast<std::uint32_t>(local[lane]);
    copy.phase = MBarrier::from(word).phase;
    for (const code::Piece& piece : pieces) {
      copy.at[lane] = static_cast<std::uint32_t>(targets[lane]) + piece.offset;
      copy.bytes = piece.bytes;
      if (owner.arrived_copies.any()) owner.arrived_copies.begin(copy);
      owner.copies.add(copy);
    }
  }
  parts_.accesses.access_space(instruction, update, Space::shared, copy.lanes, barriers);
}

void AsyncCopies::store_async(const code::Instruction& instruction,
                              const code::Operation& operation, std::uint32_t mask) {
  const code::Access& to = here_.program_.accesses[operation.to];
  std::uint64_t targets[32], barriers[32];
  parts_.accesses.lane_addresses(to, targets);
  parts_.accesses.lane_addresses(here_.program_.accesses[operation.barrier], barriers);
  CopiesInFlight::Copy copy;
  copy.site = to.site;
  copy.updates = to.is_atomic;
  copy.bytes = to.bytes();
  copy.warp = here_.warp_index_;
  copy.of = CopiesInFlight::Of::bulk;
  const code::Piece whole = {0, copy.bytes};
  for_lanes(mask, [&](unsigned lane) {
    copy.lanes = 1u << lane;
    complete_copy(instruction, operation, copy, targets[lane], barriers[lane], {&whole, 1});
  });
}

}  // namespace warpwise::machine
