#include "simulator/cudart/copies/copy_sides.h"

#include <fmt/format.h>

#include <string>

#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/memory/allocation_sites.h"
#include "simulator/cudart/memory/heap_blocks.h"
#include "simulator/cudart/memory/host_room.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/report/report.h"
#include "simulator/cudart/report/source_place.h"
#include "simulator/cudart/textures/array.h"
#include "simulator/memory/host_access.h"

namespace warpwise::cudart {
namespace {

[[noreturn]] void refuse(cudaError_t error, std::string why) {
  throw Failure{error, std::move(why), "invalid-copy"};
}

/// Reports, once per call, something that works on a GPU but is not meant.
void note(const std::string& what) {
  static auto& calls = *new OncePerCall;
  const CallSite from = call_site();
  if (calls.is_first(from))
    runtime().reporter.mistake("invalid-copy", watch::Severity::note, what, {from, "cudaMemcpy"});
}

std::string too_narrow(std::size_t pitch, std::size_t width) {
  return fmt::format("a pitch of {} bytes is less than the width of {}", pitch, width);
}

/// Bytes from the first to the last of `parts` parts of `bytes` bytes whose starts differ by
/// `distance`.
std::uint64_t span(std::uint64_t bytes, std::size_t parts, std::uint64_t distance) {
  if (parts > 1 && distance > (SIZE_MAX - bytes) / (parts - 1)) {
    refuse(cudaErrorInvalidValue, "the rows reach beyond any address");
  }
  return bytes + (parts - 1) * distance;
}

/// Bytes from the first to the last of all rows of all slices.
/// @param fill of a fill, for which the pitch counts only with several rows.
std::uint64_t extent(std::size_t width, std::size_t rows, std::size_t pitch, std::size_t slices,
                     std::size_t slice, bool fill = false) {
  const bool plain = rows == 1 && slices == 1 && (pitch == 0 || fill);
  if (!plain && pitch < width) {
    refuse(cudaErrorInvalidValue, too_narrow(pitch, width));
  }
  return span(span(width, rows, pitch), slices, slice);
}

std::string where_allocated(const memory::Allocation& allocation) {
  const std::string place = other_place(allocation_site(allocation.base));
  return place.empty() ? place : "; it was allocated earlier" + place;
}

Side look(const char* role, const void* pointer, std::uint64_t bytes, bool is_of_kernel) {
  const memory::AddressSpace& memory = runtime().memory;
  Side side{role, address_of(pointer), memory.find(address_of(pointer))};
  if (!side.on_device() && block_at(side.address, 1))
    side.user = std::make_shared<BlockUser>(side.address);
  if (pointer == nullptr) refuse(cudaErrorInvalidValue, fmt::format("the {} is null", role));
  if (side.allocation != nullptr && side.allocation->kind == memory::Kind::heap && !is_of_kernel) {
    refuse(cudaErrorInvalidValue,
           fmt::format("the {} comes from malloc or new in a kernel, where calls of the host "
                       "cannot reach; copy it in a kernel to memory from cudaMalloc",
                       role));
  }
  if (side.allocation != nullptr) {
    const std::uint64_t room = side.allocation->end() - side.address;
    if (bytes <= room) return side;
    refuse(cudaErrorInvalidValue,
           fmt::format("the {} has room for {} bytes from there to the end of {}, not for {}{}; "
                       "the size is in bytes, not in elements",
                       role, room, side.allocation->describe(), bytes,
                       where_allocated(*side.allocation)));
  }
  if (!memory.contains(side.address)) {
    if (is_array_handle(pointer))
      refuse(cudaErrorInvalidValue,
             fmt::format("the {} is a CUDA array (cudaArray_t), which is not a pointer; use "
                         "cudaMemcpy2DToArray or cudaMemcpy2DFromArray",
                         role));
    if (!memory::is_host_memory(side.address))
      refuse(cudaErrorInvalidValue,
             fmt::format("the {} is {:#x}, where this program has no memory at all; was the "
                         "pointer ever set?",
                         role, side.address));
    if (const std::string wrong = wrong_with_host(side.address, bytes); !wrong.empty())
      refuse(cudaErrorInvalidValue, fmt::format("the {} {}", role, wrong));
    return side;
  }
  const memory::Allocation* near = memory.nearest(side.address);
  if (near == nullptr)
    refuse(cudaErrorInvalidValue,
           fmt::format("the {} is a device address outside every allocation", role));
  if (near->holds(side.address))
    refuse(cudaErrorInvalidValue,
           fmt::format("the {} is in {}, which was freed{}; copy before cudaFree", role,
                       near->describe(), other_place(free_site(near->base))));
  const bool is_behind = side.address >= near->end();
  refuse(cudaErrorInvalidValue,
         fmt::format("the {} is {} bytes {} of {}{}; the size of an allocation is in bytes, not in "
                     "elements",
                     role, is_behind ? side.address - near->end() : near->base - side.address,
                     is_behind ? "past the end" : "before the start", near->describe(),
                     near->live ? where_allocated(*near) : ", which was freed"));
}

/// Memory of the host may end anywhere: the known extent of the other side gives a better message.
void check_end_on_host(const Side& side, std::uint64_t bytes) {
  if (bytes == 0 || side.allocation != nullptr) return;
  if (memory::is_readable_by_host(side.address + bytes - 1)) return;
  refuse(cudaErrorInvalidValue,
         fmt::format("the {} has no {} bytes: this program has no memory where they would end; the "
                     "size is in bytes, not in elements",
                     side.role, bytes));
}

/// The side that a copy's direction gives for one of its ends.
enum class Said { host, device, nothing };

struct Direction {
  Said to, from;
};

Direction direction_of(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return {Said::host, Said::host};
    case cudaMemcpyHostToDevice:
      return {Said::device, Said::host};
    case cudaMemcpyDeviceToHost:
      return {Said::host, Said::device};
    case cudaMemcpyDeviceToDevice:
      return {Said::device, Said::device};
    case cudaMemcpyDefault:
      return {Said::nothing, Said::nothing};
  }
  refuse(cudaErrorInvalidMemcpyDirection, fmt::format("{} is not a direction", int{kind}));
}

/// Refuses a host variable that holds a device pointer, given instead of that pointer.
void check_is_no_pointer(const Side& side) {
  std::uint64_t held = 0;
  if (side.address % sizeof held != 0) return;
  for (const std::uint64_t byte : {side.address, side.address + sizeof held - 1})
    if (!memory::is_readable_by_host(byte)) return;
  std::memcpy(&held, reinterpret_cast<const void*>(side.address), sizeof held);
  const memory::Allocation* meant = runtime().memory.find(held);
  if (meant == nullptr || meant->base != held) return;
  refuse(cudaErrorInvalidValue,
         fmt::format("the {} is the address of a variable of the host that holds a device pointer, "
                     "not that pointer; leave out the &",
                     side.role));
}

void check_said_device(Said said, const Side& side) {
  if (said != Said::device || side.allocation != nullptr) return;
  check_is_no_pointer(side);
  if (registry().variable(reinterpret_cast<const void*>(side.address)) != nullptr)
    refuse(
        cudaErrorInvalidValue,
        fmt::format("the {} is the name of a device variable, which is not an address on the host; "
                    "use cudaMemcpyToSymbol or cudaMemcpyFromSymbol",
                    side.role));
  refuse(cudaErrorInvalidValue,
         fmt::format("the {} is host memory, but the copy's direction says device memory "
                     "(the order is destination, source, bytes, direction)",
                     side.role));
}

void check_said_host(Said said, const Side& side) {
  if (said != Said::host || !side.device_only() ||
      side.allocation->kind == memory::Kind::registered)
    return;
  note(
      fmt::format("the {} is device memory, but the copy's direction says host memory. A GPU "
                  "goes by the pointers; the manual does not say what happens. Name the "
                  "intended direction, or cudaMemcpyDefault",
                  side.role));
}

/// Reports memory that was allocated by rows and is copied as if there were no padding between
/// them. A copy of whole rows with their padding, or without the last row's, is allowed.
void check_rows(const Copy& request, const Side& side, std::uint64_t pitch) {
  if (side.allocation == nullptr || request.slices > 1) return;
  const memory::Allocation& rows = *side.allocation;
  if (rows.row_bytes == rows.pitch) return;
  const std::uint64_t end = (side.address - rows.base) % rows.pitch + request.width;
  if (request.rows > 1 && pitch % rows.pitch != 0)
    note(fmt::format("the pitch of the {} is {}, and that of {} is {}, as cudaMallocPitch gave it",
                     side.role, pitch, rows.describe(), rows.pitch));
  else if (request.rows == 1 && end > rows.row_bytes && end % rows.pitch != 0 &&
           end % rows.pitch != rows.row_bytes)
    note(fmt::format(
        "the {} is memory in rows of {} bytes with a pitch of {} bytes (cudaMallocPitch), and "
        "this copy of {} bytes takes the padding between them for data: use "
        "cudaMemcpy2D, with the pitch of each side",
        side.role, rows.row_bytes, rows.pitch, request.width));
}

}  // namespace

Side target_of(const Fill& request) {
  // A fill reaches the heap of kernels; copies by the host do not.
  const Side to = look("destination", request.to,
                       extent(request.width * request.element_bytes, request.rows, request.pitch,
                              request.slices, request.slice, true),
                       true);
  if (to.allocation == nullptr) {
    check_is_no_pointer(to);
    refuse(cudaErrorInvalidValue, "the destination is host memory; use memset for it");
  }
  return to;
}

void check_form(const Copy& request) {
  direction_of(request.kind);
  // In copies of one row a narrow pitch has another code.
  for (const std::size_t pitch : {request.to_pitch, request.from_pitch})
    if (request.rows > 1 && pitch < request.width)
      refuse(cudaErrorInvalidPitchValue, too_narrow(pitch, request.width));
}

Sides sides_of(const Copy& request) {
  check_form(request);
  const Direction said = direction_of(request.kind);
  const auto reach = [&](std::size_t pitch, std::size_t slice) {
    return extent(request.width, request.rows, pitch, request.slices, slice);
  };
  const bool is_of_kernel = request.is_of_kernel;
  const std::uint64_t to_bytes = reach(request.to_pitch, request.to_slice),
                      from_bytes = reach(request.from_pitch, request.from_slice);
  const Sides sides = {look("destination", request.to, to_bytes, is_of_kernel),
                       look("source", request.from, from_bytes, is_of_kernel)};
  check_end_on_host(sides.to, to_bytes);
  check_end_on_host(sides.from, from_bytes);
  check_said_device(said.to, sides.to);
  check_said_device(said.from, sides.from);
  check_said_host(said.to, sides.to);
  check_said_host(said.from, sides.from);
  check_rows(request, sides.to, request.to_pitch);
  check_rows(request, sides.from, request.from_pitch);
  return sides;
}

bool is_pageable(const Side& side) {
  return side.allocation == nullptr && !is_page_locked(reinterpret_cast<void*>(side.address));
}

bool touches_pageable(const Copy& request) {
  const Sides sides = sides_of(request);
  return is_pageable(sides.to) || is_pageable(sides.from);
}

bool is_there(const Side& side, std::uint64_t bytes) {
  if (side.allocation != nullptr && side.allocation->kind != memory::Kind::registered) {
    const memory::Allocation* now = runtime().memory.find(side.address);
    return now != nullptr && !now->is_idle && side.address + bytes <= now->end();
  }
  if (side.user != nullptr && side.user->is_given_back()) return false;
  return memory::is_host_memory(side.address) && memory::is_host_memory(side.address + bytes - 1);
}

void tell_gone(const Side& side, const CallSite& from) {
  const memory::Allocation* freed = runtime().memory.nearest(side.address);
  const bool is_known = freed != nullptr && runtime().memory.contains(side.address);
  runtime().reporter.mistake(
      "use-after-free", watch::Severity::error,
      is_known
          ? fmt::format("the {} of this copy is in {}, which was freed before the copy ran{}; "
                        "free it when nothing uses it any more, including a graph that is launched "
                        "again",
                        side.role, freed->describe(), other_place(free_site(freed->base)))
          : fmt::format("the {} of this copy, host memory at 0x{:x}, was freed before the copy "
                        "was done; wait for the stream first (cudaStreamSynchronize)",
                        side.role, side.address),
      {from});
}

}  // namespace warpwise::cudart
