// Addresses that are no good: what is wrong with them, and what lies next to them.

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simulator/isa/fast_loops.h"
#include "simulator/machine/addresses.h"
#include "simulator/machine/bounds_advice.h"
#include "simulator/machine/lanes.h"
#include "simulator/machine/peer_access.h"
#include "simulator/machine/worker.h"
#include "simulator/memory/host_access.h"
#include "simulator/ptx/text.h"

namespace warpwise::machine {
namespace {

using code::Space;

/// Null with an index: nothing of the device or of a process lies so low, or so high.
constexpr std::uint64_t around_null = 64 << 10;

/// Of an address of local memory that is no longer anybody's.
constexpr const char* ended_variable =
    "a local variable of a kernel or function that has ended. Pass on the value, through shared or "
    "global memory.";

/// Of an address of shared memory that this block has none at.
constexpr const char* others_shared =
    "an address of shared memory at which this block has none. It is of use to the block that has "
    "made it alone, for as long as that runs: a kernel that is launched later, or by it, has "
    "shared "
    "memory of its own. Pass on the values, through global memory.";

bool is_around_null(std::uint64_t address) { return address + around_null < 2 * around_null; }

/// The lanes of a mask that are wrong.
struct Wrong {
  unsigned first = 32;
  std::uint64_t count = 0;
};

template <class IsWrong>
Wrong wrong_lanes(std::uint32_t mask, IsWrong is_wrong) {
  Wrong wrong;
  for_lanes(mask, [&](unsigned lane) {
    if (!is_wrong(lane)) return;
    ++wrong.count;
    wrong.first = std::min(wrong.first, lane);
  });
  return wrong;
}

/// What is so close to an allocation that the index is wrong, not the pointer.
constexpr std::uint64_t next_door = 4096;

/// The array of which an unsigned index below 0 leads to the address: 0u - 1 is 4294967295. Null
/// where it does not look like that.
const memory::Allocation* below_0_unsigned(const memory::AddressSpace& memory,
                                           std::uint64_t address, unsigned bytes) {
  const std::uint64_t meant = address - (std::uint64_t{bytes} << 32);
  const memory::Allocation* array = memory.nearest(meant);
  const bool is_in_front =
      array && array->live && meant < array->base && meant + next_door >= array->base;
  return is_in_front ? array : nullptr;
}

/// What is wrong with an address outside every allocation that the device may use: a kind, and the
/// rest of the sentence. @param who made the access.
std::pair<const char*, std::string> explained(const Grid& grid, std::uint64_t address,
                                              unsigned bytes, const WhoPastEnd& who) {
  const memory::AddressSpace& memory = grid.memory;
  const Options& options = grid.options;
  const memory::Allocation* of_peer = memory.find(address);
  if (of_peer && !memory.reaches(grid.device, *of_peer))
    return {"peer-access", refused_peer_text(memory, grid.device, *of_peer, address)};
  const memory::Allocation* near = memory.nearest(address);
  constexpr std::uint64_t overflown = 1 << 28;
  const bool by_registered = near && near->live && near->kind == memory::Kind::registered &&
                             address + next_door >= near->base && address < near->end() + next_door;
  if (is_around_null(address))
    return {
        "null-pointer",
        fmt::format("through a null pointer (address {}). Was the pointer set, and did cudaMalloc "
                    "succeed?",
                    static_cast<std::int64_t>(address))};
  if (const memory::Allocation* array = below_0_unsigned(memory, address, bytes))
    return {"out-of-bounds",
            fmt::format("{} bytes at element {} of {}: an unsigned index went below 0, where 0 - 1 "
                        "is 4294967295. Guard it before you subtract.",
                        bytes, (address - array->base) / bytes, array->describe())};
  if (!memory.contains(address) && !by_registered && memory::is_host_memory(address)) {
    if (const auto name = memory::shadow_at(address))
      return {
          "host-pointer",
          fmt::format("address 0x{:x}, the host's bytes under the name of the device's variable "
                      "{}. On the host the name stands for these: pass what "
                      "cudaGetSymbolAddress gives, or use the name in the kernel.",
                      address, ptx::demangled(*name))};
    return {
        "host-pointer",
        fmt::format("address 0x{:x}, which is host memory, not device memory. {}", address,
                    memory::is_constant_of_host(address)
                        ? "It is a constant of the program. Is it a text? Copy it to the device. "
                          "Is it the table of an object with virtual functions? Make the object in "
                          "a kernel, not on the host."
                        : "Pass a pointer from cudaMalloc.")};
  }
  if ((!memory.contains(address) && !by_registered) || !near)
    return {
        "out-of-bounds",
        fmt::format("address 0x{:x}, which is nowhere near an allocation. Is the pointer or its "
                    "index uninitialised, or has the index overflowed?",
                    address)};
  if (near->live && near->is_idle && near->kind == memory::Kind::variable && address == near->base)
    return {"out-of-bounds",
            "the value of a conditional node whose graph does not run. Launch that graph, and set "
            "the value in a kernel that is a node of it, or of a graph inside it."};
  if ((!near->live || near->is_idle) && address >= near->base && address < near->end()) {
    const std::string freed_at = options.free_place ? options.free_place(near->base) : "";
    return {"use-after-free",
            fmt::format("offset {} of {}, which was freed before{}", address - near->base,
                        near->describe(),
                        near->kind == memory::Kind::heap
                            ? ". Free it after the last use by any thread."
                            : " this launch was done" + freed_at +
                                  ". Free it after the last launch that uses it.")};
  }
  const char* freed = near->live ? "" : ", which was freed";
  if (address >= near->base)
    return {"out-of-bounds", fmt::format("{} bytes at offset {} of {}{}: {} bytes past its end. {}",
                                         bytes, address - near->base, near->describe(), freed,
                                         address + bytes - near->end(),
                                         advice_past_end(*near, address - near->base, bytes, who))};
  return {"out-of-bounds",
          fmt::format(
              "{} bytes {} bytes before the start of {}{}. Check the index for values below 0{}.",
              bytes, near->base - address, near->describe(), freed,
              near->base - address >= overflown
                  ? ": beyond 2147483647 an int overflows, compute it as size_t"
                  : "")};
}

/// True for the 8 bytes before an array on the heap in which nvcc keeps the number of its elements,
/// for delete[]. From a class's own operator new[] it asks for no room for them, and does so all
/// the same: a GPU keeps there what it knows of the block, and nothing is lost.
/// @param behind the allocation behind the access, or null
bool is_array_count(const code::Access& access, const memory::Allocation* behind,
                    std::uint64_t address) {
  return access.type == isa::Type::u64 && access.elements == 1 && behind != nullptr &&
         behind->kind == memory::Kind::heap && behind->live &&
         address + access.bytes() == behind->base;
}

}  // namespace

void Worker::bad_address(const code::Access& access, unsigned first, std::uint64_t count,
                         const char* kind, const std::string& rest) {
  watch::Finding found = finding(
      kind,
      fmt::format("thread {} {} {}", thread_text(warp_index_ * 32 + first), verb(access), rest),
      first);
  found.count = count;
  fault(std::move(found));
}

WARPWISE_FAST_LOOPS void Worker::check_alignment(const code::Access& access, Space space,
                                                 std::uint32_t mask,
                                                 const std::uint64_t* addresses) {
  const unsigned bytes = access.bytes();
  Wrong wrong = wrong_lanes(mask, [&](unsigned lane) { return addresses[lane] % bytes != 0; });
  if (wrong.count == 0) return;
  std::uint64_t address = addresses[wrong.first];
  if (space == Space::global && is_around_null(address))
    out_of_bounds(access, wrong.first, address, wrong.count);
  bad_address(access, wrong.first, wrong.count, "misaligned",
              fmt::format("{} bytes at an address that is no multiple of {} (remainder {}). Vector "
                          "types need pointers and indices that keep them aligned.",
                          bytes, bytes, address % bytes));
}

WARPWISE_FAST_LOOPS void Worker::check_global(const code::Access& access, std::uint32_t mask,
                                              const std::uint64_t* addresses,
                                              const watch::AddressShape& shape) {
  const memory::Allocation*& cached = cached_[access.site];
  several_allocations_ = false;
  if (cached && cached->live && shape.is_inside(cached->base, cached->bytes, access.bytes())) {
    if (cached->is_looked_at) [[unlikely]]
      look_at(*cached, access, mask, addresses);
    return;
  }
  several_allocations_ = true;
  auto inside = [&](std::uint64_t address) {
    if (cached && cached->live && address >= cached->base &&
        address + access.bytes() <= cached->end())
      return true;
    cached = grid_.memory.find(address);
    if (cached == nullptr) {
      const memory::Allocation* behind = grid_.memory.find(address + access.bytes());
      if (!is_array_count(access, behind, address)) return false;
      cached = behind;
      return true;
    }
    if (cached->is_idle || !grid_.memory.reaches(grid_.device, *cached)) cached = nullptr;
    if (cached) arrivals_.meet(program_.sites[access.site], *cached);
    return cached && address + access.bytes() <= cached->end();
  };
  Wrong wrong = wrong_lanes(mask, [&](unsigned lane) { return !inside(addresses[lane]); });
  if (wrong.count) out_of_bounds(access, wrong.first, addresses[wrong.first], wrong.count);
  several_allocations_ =
      cached == nullptr || !shape.is_inside(cached->base, cached->bytes, access.bytes());
  if (cached && !several_allocations_)
    look_at(*cached, access, mask, addresses);
  else if (grid_.memory.devices() > 1)
    for_lanes(mask, [&](unsigned lane) {
      count_peer_bytes(*grid_.memory.find(addresses[lane]), access, 1);
    });
}

/// An access to one allocation, which is as it should be.
void Worker::look_at(const memory::Allocation& allocation, const code::Access& access,
                     std::uint32_t mask, const std::uint64_t* addresses) {
  if (allocation.pitch && access.is_store) note_padding(access, mask, addresses);
  count_peer_bytes(allocation, access, static_cast<unsigned>(std::popcount(mask)));
}

void Worker::count_peer_bytes(const memory::Allocation& allocation, const code::Access& access,
                              unsigned lanes) {
  if (allocation.device == grid_.device || memory::AddressSpace::is_of_all(allocation)) return;
  auto& bytes = access.is_store || access.is_atomic ? peer_bytes_.written : peer_bytes_.read;
  bytes[static_cast<std::size_t>(allocation.device)] += std::uint64_t{access.bytes()} * lanes;
}

/// Writes between the rows of pitched memory do no harm, and seldom are meant. Vectors may begin in
/// a row and end behind it.
void Worker::note_padding(const code::Access& access, std::uint32_t mask,
                          const std::uint64_t* addresses) {
  const memory::Allocation& rows = *cached_[access.site];
  const Wrong wrong =
      wrong_lanes(mask, [&](unsigned lane) { return rows.is_padding(addresses[lane]); });
  if (wrong.count == 0 || is_of_library(access.site)) return;
  watch::Finding found = finding("out-of-bounds", {}, wrong.first);
  found.severity = watch::Severity::note;
  found.count = wrong.count;
  if (diagnoses_.count_only(found)) return;
  const std::uint64_t offset = addresses[wrong.first] - rows.base;
  found.message = fmt::format(
      "thread {} {} {} bytes at offset {} of row {} of {}. A row has {} bytes; behind it, up to "
      "the pitch of {}, there is nothing but padding. Guard the column by the width, and let rows "
      "begin the pitch apart, which counts bytes.",
      thread_text(warp_index_ * 32 + wrong.first), verb(access), access.bytes(),
      offset % rows.pitch, offset / rows.pitch, rows.describe(), rows.row_bytes, rows.pitch);
  diagnoses_.report(std::move(found));
}

WhoPastEnd Worker::who_past_end() const {
  return {.block = position(block_->index, grid_.launch.grid),
          .grid = grid_.launch.grid,
          .parameters = grid_.launch.parameters};
}

void Worker::out_of_bounds(const code::Access& access, unsigned lane, std::uint64_t address,
                           std::uint64_t count) {
  if (address >= code::local_window && address < code::parameter_window) {
    check_owner(access, lane, count,
                address - code::local_start(block_->index, warp_index_ * 32 + lane));
    bad_address(access, lane, count, "out-of-bounds", ended_variable);
  }
  if (address >= code::shared_window && address < code::local_window)
    bad_address(access, lane, count, "out-of-bounds", others_shared);
  auto [kind, rest] = explained(grid_, address, access.bytes(), who_past_end());
  bad_address(access, lane, count, kind, rest);
}

void Worker::report_unreadable(std::uint64_t address, unsigned lane) {
  const bool is_of_thread = address >= code::shared_window && address < code::parameter_window;
  auto [kind, rest] =
      is_of_thread ? std::pair{"out-of-bounds",
                               fmt::format("address 0x{:x}, outside its shared or local variables. "
                                           "Is it one of another thread, or has it ended?",
                                           address)}
                   : explained(grid_, address, 1, who_past_end());
  fault(finding(kind, fmt::format("thread {} reads {}", thread_text(warp_index_ * 32 + lane), rest),
                lane));
}

/// "offset 12 of `tile` (128 bytes)", or what lies there instead.
std::string Worker::shared_text(std::uint32_t address) const {
  const code::SharedArray* before = nullptr;
  for (const code::SharedArray& array : program_.shared_arrays)
    if (array.address <= address && (!before || array.address >= before->address)) before = &array;
  std::string in_block = fmt::format("offset {} of the block's shared memory",
                                     static_cast<std::int32_t>(address - code::shared_base));
  if (!before) return in_block;
  std::uint32_t bytes = before->is_dynamic
                            ? grid_.shared_bytes - (before->address - code::shared_base)
                            : before->bytes;
  std::uint32_t offset = address - before->address;
  if (offset >= bytes && !before->is_dynamic &&
      address - code::shared_base >= program_.dynamic_shared_offset &&
      address - code::shared_base < grid_.shared_bytes)
    return fmt::format("{}, in the {} bytes of dynamic shared memory of the launch", in_block,
                       grid_.shared_bytes - program_.dynamic_shared_offset);
  if (offset < bytes)
    return fmt::format("offset {} of shared array {} ({} bytes)", offset, before->name, bytes);
  if (address - code::shared_base < grid_.shared_bytes)
    return fmt::format("{}, in the padding gap behind {} ({} bytes)", in_block, before->name,
                       bytes);
  return fmt::format("{}, which has {} bytes; {} ({} bytes) ends {}", in_block, grid_.shared_bytes,
                     before->name, bytes,
                     offset == bytes ? "there" : fmt::format("{} bytes before", offset - bytes));
}

/// Faults where an address has gone from the array that it was made from into another one.
void Worker::check_array(const code::Access& access, std::uint32_t mask,
                         const std::uint64_t* addresses, const watch::AddressShape& shape) {
  const code::SharedArray& array = program_.shared_arrays[access.shared_array];
  const std::uint32_t start = array.address;
  const std::uint32_t length =
      array.is_dynamic ? grid_.shared_bytes - (start - code::shared_base) : array.bytes;
  const unsigned bytes = access.bytes();
  if (shape.is_inside(start, length, bytes)) return;
  const Wrong wrong = wrong_lanes(mask, [&](unsigned lane) {
    return !all_inside(1u << lane, addresses, bytes, start, length);
  });
  const auto address = static_cast<std::uint32_t>(addresses[wrong.first]);
  const auto offset = static_cast<std::int32_t>(address - start);
  std::string where = offset < 0 ? fmt::format("{} bytes before its start", -offset)
                                 : fmt::format("{} bytes past its end", offset + bytes - length);
  if (address - code::shared_base < grid_.shared_bytes) where += ", at " + shared_text(address);
  const char* advice = offset < 0          ? "Check the index for values below 0."
                       : !array.is_dynamic ? "Guard the index."
                       : length == 0
                           ? "Pass the size of the dynamic shared memory to the launch: <<<grid, "
                             "block, bytes>>>."
                           : "Guard the index, or give the launch more dynamic shared memory.";
  bad_address(access, wrong.first, wrong.count, "out-of-bounds",
              fmt::format("{} bytes at offset {} of shared array {} ({} bytes): {}. {}", bytes,
                          offset, array.name, length, where, advice));
}

/// Faults where the addresses are nobody's.
WARPWISE_FAST_LOOPS Worker::SharedOf Worker::check_shared(const code::Access& access,
                                                          std::uint32_t mask,
                                                          const std::uint64_t* addresses,
                                                          const watch::AddressShape& shape) {
  const unsigned bytes = access.bytes();
  if (shape.is_inside(code::shared_base, grid_.shared_bytes, bytes)) {
    for (const code::Program::Gap& gap : program_.shared_gaps) {
      Wrong wrong = wrong_lanes(mask, [&](unsigned lane) {
        return addresses[lane] + bytes > gap.from && addresses[lane] < gap.to;
      });
      if (wrong.count)
        bad_address(
            access, wrong.first, wrong.count, "out-of-bounds",
            fmt::format("{} bytes at {}. Guard the index.", bytes,
                        shared_text(std::max(static_cast<std::uint32_t>(addresses[wrong.first]),
                                             gap.from))));
    }
    const bool has_others =
        program_.shared_arrays.size() > 1 || grid_.launch.dynamic_shared_bytes > 0;
    if (access.shared_array != code::Access::any_array && has_others)
      check_array(access, mask, addresses, shape);
    return SharedOf::block;
  }
  if (!owner_ && names_block(mask, addresses)) return SharedOf::cluster;
  if (uses_reserved_ && shape.is_inside(code::reserved_tiles, code::reserved_tiles_bytes, bytes))
    return SharedOf::runtime;
  if (access.shared_array != code::Access::any_array && grid_.shared_bytes > 0)
    check_array(access, mask, addresses, shape);
  Wrong wrong = wrong_lanes(mask, [&](unsigned lane) {
    return !all_inside(1u << lane, addresses, bytes, code::shared_base, grid_.shared_bytes);
  });
  // Shared addresses have 32 bits: what lies before the start has wrapped around.
  auto address = static_cast<std::uint32_t>(addresses[wrong.first]);
  auto offset = static_cast<std::int32_t>(address - code::shared_base);
  if (grid_.shared_bytes == 0 || offset < 0)
    bad_address(access, wrong.first, wrong.count, "out-of-bounds",
                fmt::format("{} bytes at offset {} of the block's shared memory, which has {} "
                            "bytes. {}",
                            bytes, offset, grid_.shared_bytes,
                            offset < 0 ? "Check the index for values below 0."
                                       : "Pass the size of the dynamic shared memory to the "
                                         "launch: <<<grid, block, bytes>>>."));
  bool is_dynamic = program_.dynamic_shared_offset < grid_.shared_bytes;
  bad_address(access, wrong.first, wrong.count, "out-of-bounds",
              fmt::format("{} bytes at {}. Guard the index{}.", bytes, shared_text(address),
                          is_dynamic ? ", or give the launch more dynamic shared memory" : ""));
}

namespace {

/// Where what the program calls its arrays starts in a frame: behind the values on their way into
/// and out of functions, which compiled code keeps in registers.
std::uint32_t arrays_start(const Frame& frame) {
  return frame.base + (frame.layout.passed_has_address ? 0 : frame.layout.passed_bytes);
}

/// True where the bytes are in arrays of the frame, of the one that called it, or of one further
/// out: of one for all lanes.
bool are_in_arrays(const Frame* frame, const Extent& extent, unsigned bytes) {
  for (; frame; frame = frame->caller) {
    const std::uint32_t start = arrays_start(*frame);
    if (extent.is_inside(bytes, start, frame->top - start)) return true;
  }
  return false;
}

/// True where neither the frame's function nor one that has called it has local arrays.
bool has_no_arrays(const Frame* frame) {
  for (; frame; frame = frame->caller)
    if (arrays_start(*frame) < frame->top) return false;
  return true;
}

}  // namespace

std::string Worker::local_text(std::uint64_t address) const {
  // An address in front of a frame's arrays belongs to what a caller has, if there is one.
  const Frame* frame = &warp_->frame();
  unsigned calls = 0;
  for (; frame->caller && address < arrays_start(*frame); ++calls) frame = frame->caller;
  const std::uint32_t start = frame->base + frame->layout.passed_bytes;
  return fmt::format("offset {} of {} local arrays ({} bytes)",
                     static_cast<std::int64_t>(address - start),
                     calls == 0   ? "its"
                     : calls == 1 ? "the calling function's"
                                  : "a calling function's",
                     frame->top - start);
}

/// Faults where the address is one that another thread has made of a local variable.
void Worker::check_owner(const code::Access& access, unsigned lane, std::uint64_t count,
                         std::uint64_t address) {
  constexpr std::uint64_t each = 1ull << code::local_shift, threads = 1024;
  const std::uint64_t own = code::local_start(block_->index, warp_index_ * 32 + lane);
  // An index below 0 leads to the end of what the thread in front has.
  const std::uint64_t owner = (own + address + each / 2 - code::local_window) / each;
  if (owner == (own - code::local_window) / each || owner == 0) return;
  const std::uint64_t block = (owner - 1) / threads;
  const auto thread = static_cast<std::uint32_t>((owner - 1) % threads);
  if (thread >= grid_.threads_per_block) return;
  const bool is_same_block = block == ((own - code::local_window) / each - 1) / threads;
  bad_address(access, lane, count, "out-of-bounds",
              fmt::format("a local variable of thread {}{}, which has passed on its address. Each "
                          "thread has local memory of its own, and on a GPU all have it at the "
                          "same addresses: there the thread would meet its own. Pass on the value, "
                          "through shared or global memory.",
                          thread_text(thread),
                          is_same_block ? "" : fmt::format(" of block {}", block_text(block))));
}

void Worker::check_local(const code::Access& access, std::uint32_t mask,
                         const std::uint64_t* addresses, const Extent& extent) {
  const unsigned bytes = access.bytes();
  if (are_in_arrays(&warp_->frame(), extent, bytes))
    return access.local_array.bytes ? check_local_array(access, mask, addresses, extent) : void();
  Wrong wrong = wrong_lanes(mask, [&](unsigned lane) {
    return !are_in_arrays(&warp_->frame(), Extent::of(addresses[lane]), bytes);
  });
  if (wrong.count == 0) return;
  check_owner(access, wrong.first, wrong.count, addresses[wrong.first]);
  if (has_no_arrays(&warp_->frame()))
    bad_address(access, wrong.first, wrong.count, "out-of-bounds", ended_variable);
  bad_address(
      access, wrong.first, wrong.count, "out-of-bounds",
      fmt::format("{} bytes at {}. Guard the index.", bytes, local_text(addresses[wrong.first])));
}

/// Faults where an address that was made from one local array is in another one of the frame.
void Worker::check_local_array(const code::Access& access, std::uint32_t mask,
                               const std::uint64_t* addresses, const Extent& extent) {
  const std::uint64_t start = warp_->frame().base + access.local_array.offset;
  const unsigned bytes = access.bytes(), length = access.local_array.bytes;
  if (extent.is_inside(bytes, start, length)) return;
  const Wrong wrong = wrong_lanes(mask, [&](unsigned lane) {
    return !Extent::of(addresses[lane]).is_inside(bytes, start, length);
  });
  const auto offset = static_cast<std::int64_t>(addresses[wrong.first] - start);
  bad_address(access, wrong.first, wrong.count, "out-of-bounds",
              fmt::format("{} bytes at offset {} of a local array ({} bytes), where another of the "
                          "thread's variables lies. {}",
                          bytes, offset, length,
                          offset < 0 ? "Check the index for values below 0." : "Guard the index."));
}

void Worker::check_parameters(const code::Access& access, std::uint32_t mask,
                              const std::uint64_t* addresses) {
  const std::uint64_t bytes = grid_.launch.parameters.size();
  const bool is_read = !access.is_store && !access.is_atomic;
  if (is_read && all_inside(mask, addresses, access.bytes(), 0, bytes)) return;
  const auto place = [&](unsigned lane) {
    return fmt::format("{} bytes at offset {} of the kernel's parameters", access.bytes(),
                       static_cast<std::int64_t>(addresses[lane]));
  };
  const Wrong outside = wrong_lanes(mask, [&](unsigned lane) {
    return !all_inside(1u << lane, addresses, access.bytes(), 0, bytes);
  });
  if (outside.count > 0)
    bad_address(access, outside.first, outside.count, "out-of-bounds",
                fmt::format("{}, which have {} bytes.", place(outside.first), bytes));
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  watch::Finding found =
      finding("out-of-bounds",
              fmt::format("thread {} {} {}, which can only be read: the parameter itself keeps its "
                          "value, and other blocks may find the new one through a pointer. Change "
                          "a copy of it.",
                          thread_text(warp_index_ * 32 + first), verb(access), place(first)),
              first);
  found.count = std::popcount(mask);
  diagnoses_.report(std::move(found));
  if (written_parameters_.empty()) written_parameters_ = grid_.launch.parameters;
}

}  // namespace warpwise::machine
