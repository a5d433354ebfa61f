// Addresses of global memory: whether they are in an array, and the message where they are not.

#include "simulator/machine/checks/bounds.h"

#include <fmt/format.h>

#include <utility>

#include "simulator/isa/fast_loops.h"
#include "simulator/machine/access/addresses.h"
#include "simulator/machine/checks/bad_address.h"
#include "simulator/machine/checks/wrong_lanes.h"

namespace warpwise::machine {
namespace {

using code::Space;

/// For an address of shared memory where this block has none.
constexpr const char* others_shared =
    "an address of shared memory at which this block has none. Only the block that has made it can "
    "use it, while that block runs: a kernel that is launched later, or by it, has its own shared "
    "memory. Pass the values on through global memory.";

/// True for the 8 bytes before an array on the heap in which nvcc keeps the number of its elements,
/// for delete[]. From a class's own operator new[] it asks for no room for them, and does so all
/// the same: a GPU keeps there what it knows of the block, and nothing is lost.
/// @param behind the allocation that ends before the access, or null
bool is_array_count(const code::Access& access, const memory::Allocation* behind,
                    std::uint64_t address) {
  return access.type == isa::Type::u64 && access.elements == 1 && behind != nullptr &&
         behind->kind == memory::Kind::heap && behind->live &&
         address + access.bytes() == behind->base;
}

}  // namespace

void Bounds::bad_address(const code::Access& access, unsigned first, std::uint64_t count,
                         const char* kind, const std::string& rest) {
  watch::Finding found = here_.finding(
      kind,
      fmt::format("thread {} {} {}", here_.thread_text(here_.warp_index_ * 32 + first),
                  verb(access), rest),
      first);
  found.count = count;
  here_.fault(std::move(found));
}

WARPWISE_FAST_LOOPS void Bounds::check_alignment(const code::Access& access, Space space,
                                                 std::uint32_t mask,
                                                 const std::uint64_t* addresses) {
  const unsigned bytes = access.bytes();
  Wrong wrong = wrong_lanes(mask, [&](unsigned lane) { return addresses[lane] % bytes != 0; });
  if (wrong.count == 0) return;
  std::uint64_t address = addresses[wrong.first];
  if (space == Space::global && is_around_null(address))
    out_of_bounds(access, wrong.first, address, wrong.count);
  bad_address(
      access, wrong.first, wrong.count, "misaligned",
      fmt::format("{} bytes at an address that is not a multiple of {} (remainder {}). Vector "
                  "types need pointers and indices that keep them aligned.",
                  bytes, bytes, address % bytes));
}

WARPWISE_FAST_LOOPS void Bounds::check_global(const code::Access& access, std::uint32_t mask,
                                              const std::uint64_t* addresses,
                                              const watch::AddressShape& shape) {
  const memory::Allocation*& cached = here_.cached_[access.site];
  here_.several_allocations_ = false;
  if (cached && cached->live && shape.is_inside(cached->base, cached->bytes, access.bytes())) {
    if (cached->is_looked_at) [[unlikely]]
      look_at(*cached, access, mask, addresses);
    return;
  }
  here_.several_allocations_ = true;
  auto inside = [&](std::uint64_t address) {
    if (cached && cached->live && address >= cached->base &&
        address + access.bytes() <= cached->end())
      return true;
    cached = here_.grid_.memory.find(address);
    if (cached == nullptr) {
      const memory::Allocation* behind = here_.grid_.memory.find(address + access.bytes());
      if (!is_array_count(access, behind, address)) return false;
      cached = behind;
      return true;
    }
    if (cached->is_idle || !here_.grid_.memory.reaches(here_.grid_.device, *cached))
      cached = nullptr;
    if (cached) here_.arrivals_.meet(here_.program_.sites[access.site], *cached);
    return cached && address + access.bytes() <= cached->end();
  };
  Wrong wrong = wrong_lanes(mask, [&](unsigned lane) { return !inside(addresses[lane]); });
  if (wrong.count) out_of_bounds(access, wrong.first, addresses[wrong.first], wrong.count);
  here_.several_allocations_ =
      cached == nullptr || !shape.is_inside(cached->base, cached->bytes, access.bytes());
  if (cached && !here_.several_allocations_)
    look_at(*cached, access, mask, addresses);
  else if (here_.grid_.memory.devices() > 1)
    for_lanes(mask, [&](unsigned lane) {
      count_peer_bytes(*here_.grid_.memory.find(addresses[lane]), access, 1);
    });
}

/// An access to one allocation, which is as it should be.
void Bounds::look_at(const memory::Allocation& allocation, const code::Access& access,
                     std::uint32_t mask, const std::uint64_t* addresses) {
  if (allocation.pitch && access.is_store) note_padding(access, mask, addresses);
  count_peer_bytes(allocation, access, static_cast<unsigned>(std::popcount(mask)));
}

void Bounds::count_peer_bytes(const memory::Allocation& allocation, const code::Access& access,
                              unsigned lanes) {
  if (allocation.device == here_.grid_.device || memory::AddressSpace::is_of_all(allocation))
    return;
  auto& bytes = access.is_store || access.is_atomic ? peer_bytes_.written : peer_bytes_.read;
  bytes[static_cast<std::size_t>(allocation.device)] += std::uint64_t{access.bytes()} * lanes;
}

/// Writes between the rows of pitched memory do no harm, and seldom are meant. Vectors may begin in
/// a row and end past it.
void Bounds::note_padding(const code::Access& access, std::uint32_t mask,
                          const std::uint64_t* addresses) {
  const memory::Allocation& rows = *here_.cached_[access.site];
  const Wrong wrong =
      wrong_lanes(mask, [&](unsigned lane) { return rows.is_padding(addresses[lane]); });
  if (wrong.count == 0 || here_.is_of_library(access.site)) return;
  watch::Finding found = here_.finding("out-of-bounds", {}, wrong.first);
  found.severity = watch::Severity::note;
  found.count = wrong.count;
  if (here_.diagnoses_.count_only(found)) return;
  const std::uint64_t offset = addresses[wrong.first] - rows.base;
  found.message = fmt::format(
      "thread {} {} {} bytes at offset {} of row {} of {}. A row has {} bytes; after it, up to "
      "the pitch of {}, there is only padding. Guard the column by the width, and let rows "
      "begin at multiples of the pitch, which counts bytes.",
      here_.thread_text(here_.warp_index_ * 32 + wrong.first), verb(access), access.bytes(),
      offset % rows.pitch, offset / rows.pitch, rows.describe(), rows.row_bytes, rows.pitch);
  here_.diagnoses_.report(std::move(found));
}

void Bounds::out_of_bounds(const code::Access& access, unsigned lane, std::uint64_t address,
                           std::uint64_t count) {
  if (address >= code::local_window && address < code::parameter_window) {
    check_owner(access, lane, count,
                address - code::local_start(here_.block_->index, here_.warp_index_ * 32 + lane));
    bad_address(access, lane, count, "out-of-bounds", ended_variable);
  }
  if (address >= code::shared_window && address < code::local_window)
    bad_address(access, lane, count, "out-of-bounds", others_shared);
  auto [kind, rest] = explained(here_.grid_, address, access.bytes(), here_.who_past_end());
  bad_address(access, lane, count, kind, rest);
}

}  // namespace warpwise::machine
