// malloc and free on the device: each piece is an allocation of its own, so that a use beyond it or
// after free is found as with cudaMalloc.

#include <fmt/format.h>

#include <bit>
#include <memory>

#include "simulator/machine/lanes.h"
#include "simulator/machine/worker.h"
#include "simulator/memory/heap_share.h"

namespace warpwise::machine {

std::shared_ptr<const memory::CodeLine> Worker::users_line(unsigned lane) const {
  const auto own = static_cast<std::uint32_t>(current_ - program_.code.data());
  const std::uint32_t called_at = user_call(own, lane);
  const std::uint32_t users = called_at == watch::Finding::not_called ? own : called_at;
  const code::Place& place = program_.places[program_.code[users].place];
  return std::make_shared<const memory::CodeLine>(
      memory::CodeLine{place.file, place.line, place.column});
}

/// @param here where the program asks for it; found by the first of the warp's lanes.
/// @return 0 where there is no room.
std::uint64_t Worker::allocate_on_heap(std::uint64_t bytes, unsigned lane,
                                       std::shared_ptr<const memory::CodeLine>& here) {
  const std::uint64_t limit = grid_.options.heap_bytes, used = grid_.memory.heap_bytes();
  if (bytes == 0 || used > limit || memory::heap_share(bytes).room > limit - used) return 0;
  if (!here) here = users_line(lane);
  const auto* made = grid_.memory.allocate(bytes, memory::Kind::heap, here);
  if (!made) return 0;
  grid_.memory.track(made->base);
  ++changes_;
  return made->base;
}

/// @return false for what is not on the heap, which has been reported.
bool Worker::free_on_heap(std::uint64_t address, unsigned lane) {
  if (address == 0) return true;
  ++changes_;
  const memory::Allocation* found = grid_.memory.find(address);
  if (found && found->kind == memory::Kind::heap && found->base == address) {
    grid_.memory.release(address);
    return true;
  }
  const memory::Allocation* near = grid_.memory.nearest(address);
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
  diagnoses_.report(finding(
      "invalid-free",
      fmt::format("thread {} frees {}.", thread_text(warp_index_ * 32 + lane), what), lane));
  return false;
}

void Worker::heap_allocate(const code::Instruction& instruction, std::uint32_t mask) {
  const auto* sizes = reinterpret_cast<const std::uint64_t*>(warp_->slot(instruction.s[0]));
  auto* results = reinterpret_cast<std::uint64_t*>(warp_->slot(instruction.d));
  std::shared_ptr<const memory::CodeLine> here;
  for_lanes(mask,
            [&](unsigned lane) { results[lane] = allocate_on_heap(sizes[lane], lane, here); });
}

void Worker::heap_free(const code::Instruction& instruction, std::uint32_t mask) {
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(warp_->slot(instruction.s[0]));
  for_lanes(mask, [&](unsigned lane) { free_on_heap(addresses[lane], lane); });
}

}  // namespace warpwise::machine
