// Addresses of a thread's own memory: local variables and the kernel's parameters.

#include <fmt/format.h>

#include <bit>

#include "simulator/machine/access/addresses.h"
#include "simulator/machine/checks/bad_address.h"
#include "simulator/machine/checks/bounds.h"
#include "simulator/machine/checks/wrong_lanes.h"

namespace warpwise::machine {
namespace {

/// Where the program's own arrays start in a frame: after the values that pass into and out of
/// functions, which compiled code keeps in registers.
std::uint32_t arrays_start(const CallFrame& frame) {
  return frame.base + (frame.layout.passed_has_address ? 0 : frame.layout.passed_bytes);
}

/// True where the bytes are in arrays of the frame, of the one that called it, or of one further
/// out: of one for all lanes.
bool are_in_arrays(const CallFrame* frame, const Extent& extent, unsigned bytes) {
  for (; frame; frame = frame->caller) {
    const std::uint32_t start = arrays_start(*frame);
    if (extent.is_inside(bytes, start, frame->top - start)) return true;
  }
  return false;
}

/// True where neither the frame's function nor one that has called it has local arrays.
bool has_no_arrays(const CallFrame* frame) {
  for (; frame; frame = frame->caller)
    if (arrays_start(*frame) < frame->top) return false;
  return true;
}

}  // namespace

std::string Bounds::local_text(std::uint64_t address) const {
  // An address before a frame's arrays belongs to what a caller has, if there is one.
  const CallFrame* frame = &here_.warp_->frame();
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
void Bounds::check_owner(const code::Access& access, unsigned lane, std::uint64_t count,
                         std::uint64_t address) {
  constexpr std::uint64_t each = 1ull << code::local_shift, threads = 1024;
  const std::uint64_t own = code::local_start(here_.block_->index, here_.warp_index_ * 32 + lane);
  // An index below 0 leads to the end of what the thread in front has.
  const std::uint64_t owner = (own + address + each / 2 - code::local_window) / each;
  if (owner == (own - code::local_window) / each || owner == 0) return;
  const std::uint64_t block = (owner - 1) / threads;
  const auto thread = static_cast<std::uint32_t>((owner - 1) % threads);
  if (thread >= here_.grid_.threads_per_block) return;
  const bool is_same_block = block == ((own - code::local_window) / each - 1) / threads;
  bad_address(
      access, lane, count, "out-of-bounds",
      fmt::format("a local variable of thread {}{}, which has passed on its address. Each "
                  "thread has its own local memory, on a GPU all at the same addresses: there the "
                  "thread would find its own. Pass the value on through shared or global "
                  "memory.",
                  here_.thread_text(thread),
                  is_same_block ? "" : fmt::format(" of block {}", here_.block_text(block))));
}

void Bounds::check_local(const code::Access& access, std::uint32_t mask,
                         const std::uint64_t* addresses, const Extent& extent) {
  const unsigned bytes = access.bytes();
  if (are_in_arrays(&here_.warp_->frame(), extent, bytes))
    return access.local_array.bytes ? check_local_array(access, mask, addresses, extent) : void();
  Wrong wrong = wrong_lanes(mask, [&](unsigned lane) {
    return !are_in_arrays(&here_.warp_->frame(), Extent::of(addresses[lane]), bytes);
  });
  if (wrong.count == 0) return;
  check_owner(access, wrong.first, wrong.count, addresses[wrong.first]);
  if (has_no_arrays(&here_.warp_->frame()))
    bad_address(access, wrong.first, wrong.count, "out-of-bounds", ended_variable);
  bad_address(
      access, wrong.first, wrong.count, "out-of-bounds",
      fmt::format("{} bytes at {}. Guard the index.", bytes, local_text(addresses[wrong.first])));
}

/// Faults where an address that was made from one local array is in another one of the frame.
void Bounds::check_local_array(const code::Access& access, std::uint32_t mask,
                               const std::uint64_t* addresses, const Extent& extent) {
  const std::uint64_t start = here_.warp_->frame().base + access.local_array.offset;
  const unsigned bytes = access.bytes(), length = access.local_array.bytes;
  if (extent.is_inside(bytes, start, length)) return;
  const Wrong wrong = wrong_lanes(mask, [&](unsigned lane) {
    return !Extent::of(addresses[lane]).is_inside(bytes, start, length);
  });
  const auto offset = static_cast<std::int64_t>(addresses[wrong.first] - start);
  bad_address(access, wrong.first, wrong.count, "out-of-bounds",
              fmt::format("{} bytes at offset {} of a local array ({} bytes), where another of the "
                          "thread's variables is. {}",
                          bytes, offset, length,
                          offset < 0 ? "Check the index for values below 0." : "Guard the index."));
}

void Bounds::check_parameters(const code::Access& access, std::uint32_t mask,
                              const std::uint64_t* addresses) {
  const std::uint64_t bytes = here_.grid_.launch.parameters.size();
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
  watch::Finding found = here_.finding(
      "out-of-bounds",
      fmt::format("thread {} {} {}, which can only be read: the parameter itself keeps its "
                  "value, and other blocks may find the new one through a pointer. Change "
                  "a copy of it.",
                  here_.thread_text(here_.warp_index_ * 32 + first), verb(access), place(first)),
      first);
  found.count = std::popcount(mask);
  here_.diagnoses_.report(std::move(found));
  if (written_parameters_.empty()) written_parameters_ = here_.grid_.launch.parameters;
}

}  // namespace warpwise::machine
