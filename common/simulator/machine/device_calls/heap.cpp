#include "simulator/machine/device_calls/heap.h"

#include <fmt/format.h>

#include "simulator/machine/warp/lanes.h"
#include "simulator/memory/heap_share.h"

namespace warpwise::machine {

std::uint64_t Heap::allocate(std::uint64_t bytes, unsigned lane,
                             std::shared_ptr<const memory::CodeLine>& here) {
  const std::uint64_t limit = here_.grid_.options.heap_bytes,
                      used = here_.grid_.memory.heap_bytes();
  if (bytes == 0 || used > limit || memory::heap_share(bytes).room > limit - used) return 0;
  if (!here) here = here_.users_line(lane);
  const auto* made = here_.grid_.memory.allocate(bytes, memory::Kind::heap, here);
  if (!made) return 0;
  here_.grid_.memory.track(made->base);
  ++here_.changes_;
  return made->base;
}

bool Heap::release(std::uint64_t address, unsigned lane) {
  if (address == 0) return true;
  ++here_.changes_;
  const memory::Allocation* found = here_.grid_.memory.find(address);
  if (found && found->kind == memory::Kind::heap && found->base == address) {
    here_.grid_.memory.release(address);
    return true;
  }
  const memory::Allocation* near = here_.grid_.memory.nearest(address);
  bool freed = near && !near->live && near->base == address;
  std::string what =
      freed && near->kind == memory::Kind::heap
          ? fmt::format("{}, which was freed before", near->describe())
      : found && found->kind == memory::Kind::heap
          ? fmt::format("offset {} of {}; pass what malloc or new gave", address - found->base,
                        found->describe())
      : found
          ? fmt::format("{}, which does not come from malloc or new in a kernel", found->describe())
          : fmt::format("address 0x{:x}, which does not come from malloc or new in a kernel",
                        address);
  here_.diagnoses_.report(here_.finding(
      "invalid-free",
      fmt::format("thread {} frees {}.", here_.thread_text(here_.warp_index_ * 32 + lane), what),
      lane));
  return false;
}

void Heap::allocate(const code::Instruction& instruction, std::uint32_t mask) {
  const auto* sizes = reinterpret_cast<const std::uint64_t*>(here_.warp_->slot(instruction.s[0]));
  auto* results = reinterpret_cast<std::uint64_t*>(here_.warp_->slot(instruction.d));
  std::shared_ptr<const memory::CodeLine> here;
  for_lanes(mask, [&](unsigned lane) { results[lane] = allocate(sizes[lane], lane, here); });
}

void Heap::release(const code::Instruction& instruction, std::uint32_t mask) {
  const auto* addresses =
      reinterpret_cast<const std::uint64_t*>(here_.warp_->slot(instruction.s[0]));
  for_lanes(mask, [&](unsigned lane) { release(addresses[lane], lane); });
}

}  // namespace warpwise::machine
