#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "simulator/machine/lanes.h"
#include "simulator/machine/worker.h"

namespace warpwise::machine {
namespace {

using code::Space;

Space space_of(std::uint64_t generic) {
  if (generic < code::shared_window) return Space::global;
  if (generic < code::local_window) return Space::shared;
  return generic < code::parameter_window ? Space::local : Space::parameter;
}

std::uint64_t window_of(Space space) {
  return space == Space::shared      ? code::shared_window
         : space == Space::local     ? code::local_window
         : space == Space::parameter ? code::parameter_window
                                     : 0;
}

template <class Memory, class Register>
void load_lanes(std::byte* registers, std::uint32_t mask, const std::uint64_t* addresses,
                unsigned offset) {
  auto* d = reinterpret_cast<Register*>(registers);
  auto one = [&](unsigned lane) {
    Memory value;
    std::memcpy(&value, reinterpret_cast<const std::byte*>(addresses[lane]) + offset, sizeof value);
    d[lane] = static_cast<Register>(value);
  };
  if (mask == ~0u)
    for (unsigned lane = 0; lane < 32; ++lane) one(lane);
  else
    for_lanes(mask, one);
}

template <class Memory, class Register>
void store_lanes(const std::byte* registers, std::uint32_t mask, const std::uint64_t* addresses,
                 unsigned offset) {
  const auto* s = reinterpret_cast<const Register*>(registers);
  auto one = [&](unsigned lane) {
    auto value = static_cast<Memory>(s[lane]);
    std::memcpy(reinterpret_cast<std::byte*>(addresses[lane]) + offset, &value, sizeof value);
  };
  if (mask == ~0u)
    for (unsigned lane = 0; lane < 32; ++lane) one(lane);
  else
    for_lanes(mask, one);
}

/// The loop for a value of so many bytes in memory and in its register.
template <template <class, class> class Make>
auto by_sizes(unsigned memory, unsigned registers, bool is_signed) {
  switch (memory * 16 + registers) {
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

/// True where 32 lanes touch one piece of memory, each right behind the one before.
bool consecutive(std::uint32_t mask, const std::uint64_t* addresses, unsigned bytes) {
  if (mask != ~0u) return false;
  std::uint64_t difference = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    difference |= addresses[lane] ^ (addresses[0] + lane * bytes);
  return difference == 0;
}

/// True where no lane of the mask leaves [base, base + size).
bool all_inside(std::uint32_t mask, const std::uint64_t* addresses, unsigned bytes,
                std::uint64_t base, std::uint64_t size) {
  if (size < bytes) return false;
  std::uint32_t outside = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    outside |= static_cast<std::uint32_t>(addresses[lane] - base > size - bytes) << lane;
  return (outside & mask) == 0;
}

std::string verb(const code::Access& access) {
  return access.is_atomic ? "updates" : access.is_store ? "writes" : "reads";
}

}  // namespace

void Worker::memory_access(const code::Instruction& instruction, std::uint32_t mask) {
  const code::Access& access = program_.accesses[instruction.access];
  if (access.space == Space::frame) return frame_access(access, mask);
  if (warp_->undefined().any()) check_uses(instruction, access, mask);
  alignas(64) std::uint64_t addresses[32];
  auto offset = static_cast<std::uint64_t>(access.offset);
  if (access.base == code::no_slot) {
    for (std::uint64_t& address : addresses) address = offset;
  } else if (access.base_bytes == 8) {
    const auto* base = reinterpret_cast<const std::uint64_t*>(warp_->slot(access.base));
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = base[lane] + offset;
  } else {
    const auto* base = reinterpret_cast<const std::uint32_t*>(warp_->slot(access.base));
    for (unsigned lane = 0; lane < 32; ++lane)
      addresses[lane] = static_cast<std::uint32_t>(base[lane] + static_cast<std::uint32_t>(offset));
  }
  if (access.is_strong) poll(addresses[std::countr_zero(mask)]);
  if (access.space != Space::generic)
    return access_space(instruction, access, access.space, mask, addresses);
  // Lanes of one instruction may point into different spaces; nearly always they do not.
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
    access_space(instruction, access, space, lanes, own);
    left &= ~lanes;
  }
}

/// Values on their way into or out of a function: always in place, and nobody else's business.
void Worker::frame_access(const code::Access& access, std::uint32_t mask) {
  if (warp_->undefined().any() && !access.is_store)
    for (code::Slot data : access.data) warp_->undefined().define(data, mask);
  std::uint64_t offset = warp_->frame().base + static_cast<std::uint64_t>(access.offset);
  alignas(64) std::uint64_t addresses[32];
  for (unsigned lane = 0; lane < 32; ++lane)
    addresses[lane] = reinterpret_cast<std::uint64_t>(warp_->local(lane, offset));
  move_data(access, mask, addresses, false);
}

void Worker::access_space(const code::Instruction& instruction, const code::Access& access,
                          Space space, std::uint32_t mask, std::uint64_t* addresses) {
  check_alignment(access, mask, addresses);
  bool is_consecutive = consecutive(mask, addresses, access.bytes());
  std::uint64_t host = 0;
  if (space == Space::global) {
    check_global(access, mask, addresses);
    watch_access(access, false, mask, addresses, is_consecutive);
    host = grid_.memory.alias_distance();
    if (grid_.memory.has_registered()) {
      for (unsigned lane = 0; lane < 32; ++lane)
        if (!grid_.memory.contains(addresses[lane])) addresses[lane] -= host;
    }
  } else if (space == Space::shared) {
    const SharedOf of = check_shared(access, mask, addresses);
    if (of == SharedOf::cluster) return access_cluster(instruction, access, mask, addresses);
    if (of == SharedOf::runtime) {
      host = reinterpret_cast<std::uint64_t>(block_->reserved.data()) - code::reserved_tiles;
    } else {
      watch_access(access, true, mask, addresses, is_consecutive);
      host = reinterpret_cast<std::uint64_t>(owner().shared.data()) - code::shared_base;
    }
  } else if (space == Space::parameter) {
    check_parameters(access, mask, addresses);
    is_consecutive = false;
    host = reinterpret_cast<std::uint64_t>(grid_.launch.parameters.data());
  } else {
    check_local(access, mask, addresses);
    is_consecutive = false;
    for (unsigned lane = 0; lane < 32; ++lane)
      addresses[lane] = reinterpret_cast<std::uint64_t>(warp_->local(lane, addresses[lane]));
  }
  for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] += host;
  if (access.is_store && !access.is_atomic && space != Space::local) ++changes_;
  if (access.is_atomic)
    atomic(instruction, access, mask, addresses);
  else
    move_data(access, mask, addresses, is_consecutive);
}

/// An access to the shared memory of blocks of the cluster, one after another.
void Worker::access_cluster(const code::Instruction& instruction, const code::Access& access,
                            std::uint32_t mask, std::uint64_t* addresses) {
  struct Restore {
    Block*& owner;
    ~Restore() { owner = nullptr; }
  } restore{owner_};
  while (mask) {
    std::uint32_t lanes = mask;
    alignas(64) std::uint64_t own[32] = {};
    std::copy(addresses, addresses + 32, own);
    owner_ = &named_block(access.is_store ? "writes" : "reads", lanes, own);
    if (!access.is_strong) note_reach(*owner_, lanes);
    access_space(instruction, access, Space::shared, lanes, own);
    mask &= ~lanes;
  }
}

void Worker::check_alignment(const code::Access& access, std::uint32_t mask,
                             const std::uint64_t* addresses) {
  std::uint64_t low = 0;
  for (unsigned lane = 0; lane < 32; ++lane) low |= mask >> lane & 1 ? addresses[lane] : 0;
  if ((low & (access.bytes() - 1)) == 0) return;
  std::uint64_t count = 0;
  unsigned first = 32;
  for_lanes(mask, [&](unsigned lane) {
    if (addresses[lane] % access.bytes() == 0) return;
    ++count;
    first = std::min(first, lane);
  });
  watch::Finding found =
      finding("misaligned",
              fmt::format("thread {} {} {} bytes at an address that is no multiple of {} "
                          "(remainder {}). Vector types "
                          "need pointers and indices that keep them aligned.",
                          thread_text(warp_index_ * 32 + first), verb(access), access.bytes(),
                          access.bytes(), addresses[first] % access.bytes()),
              first);
  found.count = count;
  fault(std::move(found));
}

void Worker::check_global(const code::Access& access, std::uint32_t mask,
                          const std::uint64_t* addresses) {
  const memory::Allocation*& cached = cached_[access.site];
  if (cached && cached->live &&
      all_inside(mask, addresses, access.bytes(), cached->base, cached->bytes))
    return;
  unsigned first = 32;
  std::uint64_t count = 0;
  auto inside = [&](std::uint64_t address) {
    if (cached && cached->live && address >= cached->base &&
        address + access.bytes() <= cached->end())
      return true;
    cached = grid_.memory.find(address);
    return cached && address + access.bytes() <= cached->end();
  };
  for_lanes(mask, [&](unsigned lane) {
    if (inside(addresses[lane])) return;
    ++count;
    first = std::min(first, lane);
  });
  if (count) out_of_bounds(access, first, addresses[first], count);
}

void Worker::out_of_bounds(const code::Access& access, unsigned lane, std::uint64_t address,
                           std::uint64_t count) {
  std::string thread = thread_text(warp_index_ * 32 + lane);
  std::string kind = "out-of-bounds", message;
  constexpr std::uint64_t next_door = 4096;
  const memory::Allocation* near = grid_.memory.nearest(address);
  const bool by_registered = near && near->live && near->kind == memory::Kind::registered &&
                             address + next_door >= near->base && address < near->end() + next_door;
  if (address < 4096) {
    kind = "null-pointer";
    message = fmt::format("thread {} {} through a null pointer (address {}).", thread, verb(access),
                          address);
  } else if (!grid_.memory.contains(address) && !by_registered) {
    kind = "host-pointer";
    message = fmt::format(
        "thread {} {} address 0x{:x}, which is not device memory. Pass a pointer from cudaMalloc.",
        thread, verb(access), address);
  } else if (near && !near->live && address >= near->base && address < near->end()) {
    kind = "use-after-free";
    message = fmt::format("thread {} {} {}, which was freed before this launch.", thread,
                          verb(access), near->describe());
  } else if (near && address >= near->base) {
    std::uint64_t beyond = address + access.bytes() - near->end();
    message = fmt::format(
        "thread {} {} {} bytes at offset {} of {}: {} bytes past its end. Guard the index, or "
        "launch fewer threads.",
        thread, verb(access), access.bytes(), address - near->base, near->describe(), beyond);
  } else if (near) {
    message = fmt::format(
        "thread {} {} {} bytes {} bytes before the start of {}. Check the index for values below "
        "0.",
        thread, verb(access), access.bytes(), near->base - address, near->describe());
  } else {
    message = fmt::format("thread {} {} address 0x{:x}, where nothing is allocated.", thread,
                          verb(access), address);
  }
  watch::Finding found = finding(kind, message, lane);
  found.count = count;
  fault(std::move(found));
}

/// Faults where the addresses are nobody's.
Worker::SharedOf Worker::check_shared(const code::Access& access, std::uint32_t mask,
                                      const std::uint64_t* addresses) {
  if (all_inside(mask, addresses, access.bytes(), code::shared_base, grid_.shared_bytes))
    return SharedOf::block;
  if (!owner_ && names_block(mask, addresses)) return SharedOf::cluster;
  if (uses_reserved_ && all_inside(mask, addresses, access.bytes(), code::reserved_tiles,
                                   code::shared_base - code::reserved_tiles))
    return SharedOf::runtime;
  unsigned first = 32;
  std::uint64_t count = 0;
  for_lanes(mask, [&](unsigned lane) {
    if (all_inside(1u << lane, addresses, access.bytes(), code::shared_base, grid_.shared_bytes))
      return;
    ++count;
    first = std::min(first, lane);
  });
  // Shared addresses have 32 bits: what lies before the start has wrapped around.
  auto offset = static_cast<std::int32_t>(addresses[first] - code::shared_base);
  watch::Finding found =
      finding("out-of-bounds",
              fmt::format("thread {} {} {} bytes at offset {} of the block's shared memory, which "
                          "has {} bytes.",
                          thread_text(warp_index_ * 32 + first), verb(access), access.bytes(),
                          offset, grid_.shared_bytes),
              first);
  found.count = count;
  fault(std::move(found));
}

void Worker::check_local(const code::Access& access, std::uint32_t mask,
                         const std::uint64_t* addresses) {
  const Frame& frame = warp_->frame();
  if (all_inside(mask, addresses, access.bytes(), 0, frame.top)) return;
  unsigned first = 32;
  std::uint64_t count = 0;
  for_lanes(mask, [&](unsigned lane) {
    if (all_inside(1u << lane, addresses, access.bytes(), 0, frame.top)) return;
    ++count;
    first = std::min(first, lane);
  });
  // What the program calls its arrays starts behind the values on their way into functions.
  std::uint32_t start = frame.base + frame.layout.passed_bytes;
  watch::Finding found = finding(
      "out-of-bounds",
      fmt::format("thread {} {} {} bytes at offset {} of its local arrays, which have {} bytes.",
                  thread_text(warp_index_ * 32 + first), verb(access), access.bytes(),
                  static_cast<std::int64_t>(addresses[first] - start), frame.top - start),
      first);
  found.count = count;
  fault(std::move(found));
}

void Worker::check_parameters(const code::Access& access, std::uint32_t mask,
                              const std::uint64_t* addresses) {
  const std::uint64_t bytes = grid_.launch.parameters.size();
  bool is_read = !access.is_store;
  if (is_read && all_inside(mask, addresses, access.bytes(), 0, bytes)) return;
  unsigned first = 32;
  std::uint64_t count = 0;
  for_lanes(mask, [&](unsigned lane) {
    if (is_read && all_inside(1u << lane, addresses, access.bytes(), 0, bytes)) return;
    ++count;
    first = std::min(first, lane);
  });
  watch::Finding found = finding(
      "out-of-bounds",
      fmt::format("thread {} {} {} bytes at offset {} of the kernel's parameters, which have {} "
                  "bytes and can only be read.",
                  thread_text(warp_index_ * 32 + first), verb(access), access.bytes(),
                  static_cast<std::int64_t>(addresses[first]), bytes),
      first);
  found.count = count;
  fault(std::move(found));
}

void Worker::watch_access(const code::Access& access, bool is_shared, std::uint32_t mask,
                          const std::uint64_t* addresses, bool is_consecutive) {
  watch::AccessEvent event;
  event.site = access.site;
  event.mask = mask;
  event.addresses = addresses;
  event.bytes = access.bytes();
  event.is_consecutive = is_consecutive;
  event.is_shared = is_shared;
  event.is_store = access.is_store;
  event.is_atomic = access.is_atomic;
  event.is_strong = access.is_strong;
  counters_.access(event);
  // Threads of other blocks have no clocks in a block's checker.
  if (!is_shared || !block_->races || &owner() != block_) return;
  auto same = [&](unsigned lane, unsigned other) {
    for (unsigned e = 0; e < access.elements; ++e) {
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
  if (auto race = block_->races->access(warp_index_, event, same)) report_race(access, *race);
}

void Worker::report_race(const code::Access& access, const watch::SharedRaces::Race& race) {
  watch::Finding found = finding("race", {}, race.lane);
  // A program may race at every access: sentences are made for the findings that are kept.
  if (diagnoses_.count_only(found)) return;
  const code::Place& other = program_.places[program_.sites[race.other_site].place];
  std::string where = other.line ? fmt::format(" (line {})", other.line) : std::string();
  found.message = fmt::format(
      "thread {} {} shared memory at offset {} that thread {} {}{} with nothing in between to "
      "order "
      "them. Is a __syncthreads() missing?",
      thread_text(warp_index_ * 32 + race.lane), verb(access), race.address - code::shared_base,
      thread_text(race.other_thread), race.other_is_store ? "writes" : "reads", where);
  diagnoses_.report(std::move(found));
}

void Worker::move_data(const code::Access& access, std::uint32_t mask,
                       const std::uint64_t* addresses, bool is_consecutive) {
  bool is_signed = isa::is_signed(access.type);
  for (unsigned e = 0; e < access.elements; ++e) {
    if (access.data[e] == code::no_slot) continue;
    std::byte* registers = warp_->slot(access.data[e]);
    unsigned offset = e * access.element_bytes;
    bool whole =
        is_consecutive && access.elements == 1 && access.register_bytes[e] == access.element_bytes;
    auto* memory = reinterpret_cast<std::byte*>(addresses[0]);
    if (whole && access.is_store)
      std::memcpy(memory, registers, std::size_t{32} * access.element_bytes);
    else if (whole)
      std::memcpy(registers, memory, std::size_t{32} * access.element_bytes);
    else if (access.is_store)
      by_sizes<Store>(access.element_bytes, access.register_bytes[e], false)(registers, mask,
                                                                             addresses, offset);
    else
      by_sizes<Load>(access.element_bytes, access.register_bytes[e], is_signed)(registers, mask,
                                                                                addresses, offset);
  }
}

}  // namespace warpwise::machine
