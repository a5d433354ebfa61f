#include "simulator/machine/checks/bad_address.h"

#include <fmt/format.h>

#include "simulator/machine/access/peer_access.h"
#include "simulator/memory/host_access.h"
#include "simulator/ptx/text.h"

namespace warpwise::machine {
namespace {

constexpr std::uint64_t around_null = 64 << 10;

/// An address at most so far from an allocation has a wrong index, not a wrong pointer.
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

}  // namespace

bool is_around_null(std::uint64_t address) { return address + around_null < 2 * around_null; }

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
                      "{}. On the host the name means these: pass what "
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

}  // namespace warpwise::machine
