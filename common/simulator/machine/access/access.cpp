#include "simulator/machine/access/access.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/isa/fast_loops.h"
#include "simulator/machine/access/addresses.h"
#include "simulator/machine/warp/lanes.h"
#include "simulator/memory/prefetch.h"

namespace warpwise::machine {
namespace {

using code::Space;

Space space_of(std::uint64_t generic) {
  if (generic < code::shared_window) return Space::global;
  if (generic < code::local_window) return Space::shared;
  if (generic < code::parameter_window) return Space::local;
  // Wild pointers are beyond it, and null with a negative index.
  return generic < 2 * code::parameter_window ? Space::parameter : Space::global;
}

std::uint64_t window_of(Space space) {
  return space == Space::shared      ? code::shared_window
         : space == Space::parameter ? code::parameter_window
                                     : 0;
}

/// @param host from the lanes' addresses to where this process has the memory.
template <class Memory, class Register>
void load_lanes(std::byte* registers, std::uint32_t mask, const std::uint64_t* addresses,
                std::uint64_t host) {
  auto* d = reinterpret_cast<Register*>(registers);
  auto one = [&](unsigned lane) {
    Memory value;
    std::memcpy(&value, reinterpret_cast<const std::byte*>(addresses[lane] + host), sizeof value);
    d[lane] = static_cast<Register>(value);
  };
  if (mask == all_lanes) {
    // So short a loop would depend on where in a line of the cache its code happens to be.
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < 32; ++lane) one(lane);
  } else {
    for_lanes(mask, one);
  }
}

template <class Memory, class Register>
void store_lanes(const std::byte* registers, std::uint32_t mask, const std::uint64_t* addresses,
                 std::uint64_t host) {
  const auto* s = reinterpret_cast<const Register*>(registers);
  auto one = [&](unsigned lane) {
    auto value = static_cast<Memory>(s[lane]);
    std::memcpy(reinterpret_cast<std::byte*>(addresses[lane] + host), &value, sizeof value);
  };
  if (mask == all_lanes) {
    // So short a loop would depend on where in a line of the cache its code happens to be.
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < 32; ++lane) one(lane);
  } else {
    for_lanes(mask, one);
  }
}

/// Values of so many adjacent lanes, so many bytes of them, move at once.
template <std::size_t bytes, bool is_store>
void move_together(std::byte* registers, const std::uint64_t* addresses, std::uint64_t host,
                   unsigned lanes) {
  for (unsigned lane = 0; lane < 32; lane += lanes, registers += bytes) {
    auto* const memory = reinterpret_cast<std::byte*>(addresses[lane] + host);
    if constexpr (is_store)
      std::memcpy(memory, registers, bytes);
    else
      std::memcpy(registers, memory, bytes);
  }
}

/// The function for this many bytes; null: unknown.
template <bool is_store>
auto by_bytes_together(unsigned bytes) {
  return bytes == 8    ? move_together<8, is_store>
         : bytes == 16 ? move_together<16, is_store>
         : bytes == 32 ? move_together<32, is_store>
         : bytes == 64 ? move_together<64, is_store>
                       : nullptr;
}

WARPWISE_FAST_LOOPS Extent extent_of(std::uint32_t mask, const std::uint64_t* addresses) {
  // Signed numbers are compared faster. Those of wild addresses end in no array either.
  const auto first = static_cast<std::int64_t>(addresses[std::countr_zero(mask)]);
  std::int64_t lowest = first, highest = first, bits = first;
  for_lanes_at_least(mask, [&](unsigned lane) {
    const auto address = static_cast<std::int64_t>(addresses[lane]);
    const std::int64_t here = mask >> lane & 1 ? address : first;
    lowest = here < lowest ? here : lowest;
    highest = here > highest ? here : highest;
    bits |= here;
  });
  return {static_cast<std::uint64_t>(lowest), static_cast<std::uint64_t>(highest),
          static_cast<std::uint64_t>(bits)};
}

/// The loop for a value of this many bytes in memory and in its register.
/// @param type decides how a register is filled that is wider.
template <template <class, class> class Make>
auto by_sizes(unsigned memory, unsigned registers, isa::Type type) {
  const bool is_signed = memory != registers && isa::is_signed(type);
  switch (memory * 16 + registers) {
    case 0x11:
      return Make<std::uint8_t, std::uint8_t>::function;
    case 0x12:
      return is_signed ? Make<std::int8_t, std::int16_t>::function
                       : Make<std::uint8_t, std::uint16_t>::function;
    case 0x14:
      return is_signed ? Make<std::int8_t, std::int32_t>::function
                       : Make<std::uint8_t, std::uint32_t>::function;
    case 0x18:
      return is_signed ? Make<std::int8_t, std::int64_t>::function
                       : Make<std::uint8_t, std::uint64_t>::function;
    case 0x22:
      return Make<std::uint16_t, std::uint16_t>::function;
    case 0x24:
      return is_signed ? Make<std::int16_t, std::int32_t>::function
                       : Make<std::uint16_t, std::uint32_t>::function;
    case 0x28:
      return is_signed ? Make<std::int16_t, std::int64_t>::function
                       : Make<std::uint16_t, std::uint64_t>::function;
    case 0x44:
      return Make<std::uint32_t, std::uint32_t>::function;
    case 0x48:
      return is_signed ? Make<std::int32_t, std::int64_t>::function
                       : Make<std::uint32_t, std::uint64_t>::function;
    default:
      return Make<std::uint64_t, std::uint64_t>::function;
  }
}
template <class Memory, class Register>
struct Load {
  static constexpr auto function = load_lanes<Memory, Register>;
};
template <class Memory, class Register>
struct Store {
  static constexpr auto function = store_lanes<Memory, Register>;
};

}  // namespace

WARPWISE_FAST_LOOPS void Accesses::lane_addresses(const code::Access& access,
                                                  std::uint64_t* __restrict addresses) {
  auto offset = static_cast<std::uint64_t>(access.offset);
  if (access.base == code::no_slot) {
    std::fill(addresses, addresses + 32, offset);
  } else if (access.base_bytes == 8) {
    const auto* base = reinterpret_cast<const std::uint64_t*>(here_.warp_->slot(access.base));
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = base[lane] + offset;
  } else {
    const auto* base = reinterpret_cast<const std::uint32_t*>(here_.warp_->slot(access.base));
    for (unsigned lane = 0; lane < 32; ++lane)
      addresses[lane] = static_cast<std::uint32_t>(base[lane] + static_cast<std::uint32_t>(offset));
  }
}

void Accesses::execute(const code::Instruction& instruction, const code::Access& access,
                       std::uint32_t mask) {
  if (access.space == Space::frame) return frame_access(access, mask);
  if (here_.warp_->undefined().any()) parts_.uninitialized.check_uses(instruction, access, mask);
  alignas(64) std::uint64_t addresses[32];
  lane_addresses(access, addresses);
  if (access.is_strong()) parts_.spin_waits.poll(addresses[std::countr_zero(mask)]);
  if (access.space != Space::generic)
    access_space(instruction, access, access.space, mask, addresses);
  else
    access_generic(instruction, access, mask, addresses);
  here_.times_ = 1;
}

/// Lanes of one instruction may point into different spaces; nearly always they do not.
void Accesses::access_generic(const code::Instruction& instruction, const code::Access& access,
                              std::uint32_t mask, const std::uint64_t* addresses) {
  for (std::uint32_t left = mask; left;) {
    Space space = space_of(addresses[std::countr_zero(left)]);
    std::uint64_t window = window_of(space);
    std::uint32_t lanes = 0;
    alignas(64) std::uint64_t own[32];
    for (unsigned lane = 0; lane < 32; ++lane) {
      lanes |= static_cast<std::uint32_t>(space_of(addresses[lane]) == space) << lane;
      own[lane] = addresses[lane] - window;
    }
    lanes &= left;
    if (space == Space::local)
      for (unsigned lane = 0; lane < 32; ++lane)
        own[lane] -= code::local_start(here_.block_->index, here_.warp_index_ * 32 + lane);
    access_space(instruction, access, space, lanes, own);
    left &= ~lanes;
  }
}

/// Values that pass into or out of a function: always in place, and private to the thread.
void Accesses::frame_access(const code::Access& access, std::uint32_t mask) {
  if (here_.warp_->undefined().any() || parts_.uninitialized.any_passed())
    parts_.uninitialized.follow_passed(access, mask);
  std::uint64_t offset = here_.warp_->frame().base + static_cast<std::uint64_t>(access.offset);
  alignas(64) std::uint64_t addresses[32];
  for_lanes_at_least(mask, [&](unsigned lane) {
    addresses[lane] = reinterpret_cast<std::uint64_t>(here_.warp_->local(lane, offset));
  });
  move_data(access, mask, addresses, 0, 1);
}

/// Asks for any place in global memory before it is needed: until the access has been watched, it
/// has come.
/// @param lanes with all lines.
/// @tparam for_update other processors give up the lines, for which an atomic would have to wait.
template <bool for_update>
void Accesses::ask_for(std::uint32_t lanes, const std::uint64_t* addresses) const {
  if (here_.several_allocations_) return;
  const std::uint64_t distance = here_.grid_.memory.alias_distance();
  for_lanes(lanes, [&](unsigned lane) {
    const auto* const at = reinterpret_cast<const void*>(addresses[lane] + distance);
    for_update ? memory::prefetch_for_update(at) : memory::prefetch(at);
  });
}

/// Asks for what the next turn of a loop, or the next warp, reaches: among accesses to anywhere the
/// processor loses track of steps however small.
/// @param next the first address then, if it continues as before. @param step 0: it is not known.
void Accesses::ask_ahead(std::uint64_t next, std::uint64_t step, unsigned bytes) const {
  if (here_.several_allocations_ || step == 0) return;
  const std::uint64_t from = next + here_.grid_.memory.alias_distance();
  for (std::uint64_t at = 0; at < std::uint64_t{32} * bytes; at += 64)
    memory::prefetch(reinterpret_cast<const void*>(from + at));
}

WARPWISE_FAST_LOOPS void Accesses::access_space(const code::Instruction& instruction,
                                                const code::Access& access, Space space,
                                                std::uint32_t mask, std::uint64_t* addresses) {
  if (space == Space::local || space == Space::parameter)
    return access_own(instruction, access, space, mask, addresses);
  ++here_.accesses_made_;
  watch::SeenAddresses& seen = seen_[access.site];
  const watch::AddressShape shape = seen.look(addresses, mask, access.bytes(), latest_pattern_);
  if (!shape.is_aligned(access.bytes()))
    parts_.bounds.check_alignment(access, space, mask, addresses);
  const bool is_consecutive = shape.is_consecutive;
  std::uint64_t host = 0;
  if (space == Space::global) {
    parts_.bounds.check_global(access, mask, addresses, shape);
    if (here_.block_->bulk_targets.any()) [[unlikely]]
      parts_.copy_checks.check_bulk_targets(access, mask, addresses, shape);
    if (here_.deferred_adds_.of()) [[unlikely]]
      parts_.atomics.write_deferred(access);
    if (is_consecutive)
      ask_ahead(addresses[0] + seen.step(), seen.step(), access.bytes());
    else if (!seen.stays() && access.is_atomic)
      ask_for<true>(seen.outline(addresses), addresses);
    else if (!seen.stays())
      ask_for<false>(seen.outline(addresses), addresses);
    if (parts_.other_launches.are_watched()) [[unlikely]]
      parts_.other_launches.note(access, mask, addresses);
    if (access.is_store && !here_.program_.texel_accesses.empty()) [[unlikely]]
      parts_.textures.note_written(mask, addresses, access.bytes());
    parts_.races.watch_access(access, false, mask, addresses, shape);
    parts_.uninitialized.follow_validity(access, space, mask, addresses, is_consecutive, addresses);
    host = here_.grid_.memory.alias_distance();
    if (here_.grid_.memory.has_registered()) {
      for (unsigned lane = 0; lane < 32; ++lane)
        if (!here_.grid_.memory.contains(addresses[lane])) addresses[lane] -= host;
    }
  } else {
    const Bounds::SharedOf of = parts_.bounds.check_shared(access, mask, addresses, shape);
    if (of == Bounds::SharedOf::cluster)
      return access_cluster(instruction, access, mask, addresses);
    if (of == Bounds::SharedOf::runtime) {
      parts_.races.watch_reserved(access, mask, addresses);
      host = reinterpret_cast<std::uint64_t>(here_.block_->reserved.data()) - code::reserved_tiles;
    } else {
      parts_.races.watch_access(access, true, mask, addresses, shape);
      parts_.uninitialized.follow_validity(access, space, mask, addresses, is_consecutive,
                                           addresses);
      host = reinterpret_cast<std::uint64_t>(here_.owner().shared.data()) - code::shared_base;
    }
  }
  if (access.is_atomic)
    return parts_.atomics.execute(instruction, access, space, mask, addresses, host);
  if (access.is_store) here_.note_changes(space, 1);
  move_data(access, mask, addresses, host, is_consecutive ? 32 : seen.lanes_together());
  if (here_.grid_.has_one_history && access.element_bytes == 8 && space == Space::global &&
      (access.is_store || parts_.shared_pointers.any()))
    parts_.shared_pointers.follow(access, mask, addresses);
}

/// An access to a thread's own memory, or to the kernel's parameters: private to the thread, and
/// the distances between the lanes' addresses do not matter.
WARPWISE_FAST_LOOPS void Accesses::access_own(const code::Instruction& instruction,
                                              const code::Access& access, Space space,
                                              std::uint32_t mask, std::uint64_t* addresses) {
  const Extent extent = extent_of(mask, addresses);
  if (extent.bits & (access.bytes() - 1))
    parts_.bounds.check_alignment(access, space, mask, addresses);
  if (space == Space::parameter) {
    ++here_.accesses_made_;
    parts_.bounds.check_parameters(access, mask, addresses);
    const std::vector<std::byte>& bytes = parts_.bounds.parameters(access);
    return move_own(instruction, access, space, mask, addresses,
                    reinterpret_cast<std::uint64_t>(bytes.data()));
  }
  parts_.bounds.check_local(access, mask, addresses, extent);
  alignas(64) std::uint64_t places[32];
  const auto stride = static_cast<std::uint32_t>(here_.warp_->local_stride());
  for_lanes_at_least(
      mask, [&](unsigned lane) { places[lane] = addresses[lane] + std::uint64_t{lane} * stride; });
  parts_.uninitialized.follow_validity(access, space, mask, addresses, false, places);
  move_own(instruction, access, space, mask, places,
           reinterpret_cast<std::uint64_t>(here_.warp_->local(0, 0)));
}

/// @param places where the lanes' memory is, of which each has its own. @param host from them to
/// where this process has it.
void Accesses::move_own(const code::Instruction& instruction, const code::Access& access,
                        Space space, std::uint32_t mask, const std::uint64_t* places,
                        std::uint64_t host) {
  if (access.is_atomic)
    parts_.atomics.execute(instruction, access, space, mask, places, host);
  else
    move_data(access, mask, places, host, 1);
}

/// An access to the shared memory of blocks of the cluster, one after another.
void Accesses::access_cluster(const code::Instruction& instruction, const code::Access& access,
                              std::uint32_t mask, std::uint64_t* addresses) {
  struct Restore {
    Block*& owner;
    ~Restore() { owner = nullptr; }
  } restore{here_.owner_};
  while (mask) {
    std::uint32_t lanes = mask;
    alignas(64) std::uint64_t own[32] = {};
    std::copy(addresses, addresses + 32, own);
    here_.owner_ = &parts_.cluster.named_block(access.is_store ? "writes" : "reads", lanes, own);
    if (!access.is_strong() && !access.is_copy) parts_.cluster.note_reach(*here_.owner_, lanes);
    access_space(instruction, access, Space::shared, lanes, own);
    mask &= ~lanes;
  }
}

/// @param host from the addresses to where this process has the memory.
/// @param together how many lanes are adjacent; 1: it is not known whether any are.
void Accesses::move_data(const code::Access& access, std::uint32_t mask,
                         const std::uint64_t* addresses, std::uint64_t host, unsigned together) {
  for (unsigned e = 0; e < access.elements; ++e) {
    if (access.data[e] == code::no_slot) continue;
    std::byte* registers = here_.warp_->slot(access.data[e]);
    const unsigned each = access.element_bytes;
    const bool are_whole = access.elements == 1 && access.register_bytes[e] == each;
    if (are_whole && together == 32) {
      auto* memory = reinterpret_cast<std::byte*>(addresses[0] + host);
      if (access.is_store)
        std::memcpy(memory, registers, std::size_t{32} * each);
      else
        std::memcpy(registers, memory, std::size_t{32} * each);
      return;
    }
    if (are_whole && together > 1) {
      const unsigned bytes = together * each;
      if (const auto move =
              access.is_store ? by_bytes_together<true>(bytes) : by_bytes_together<false>(bytes))
        return move(registers, addresses, host, together);
    }
    if (access.is_store)
      by_sizes<Store>(each, access.register_bytes[e], isa::Type::b32)(registers, mask, addresses,
                                                                      host + e * each);
    else
      by_sizes<Load>(each, access.register_bytes[e], access.type)(registers, mask, addresses,
                                                                  host + e * each);
  }
}

}  // namespace warpwise::machine
