#include "simulator/cudart/copies/copy_ends.h"

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

CopyEnd look(const char* role, const void* pointer, std::uint64_t bytes, bool is_of_kernel) {
  const memory::AddressSpace& memory = runtime().memory;
  CopyEnd end{role, address_of(pointer), memory.find(address_of(pointer))};
  if (!end.on_device() && block_at(end.address, 1))
    end.user = std::make_shared<BlockUser>(end.address);
  if (pointer == nullptr) refuse(cudaErrorInvalidValue, fmt::format("the {} is null", role));
  if (end.allocation != nullptr && end.allocation->kind == memory::Kind::heap && !is_of_kernel) {
    refuse(cudaErrorInvalidValue,
           fmt::format("the {} comes from malloc or new in a kernel, where calls of the host "
                       "cannot reach; copy it in a kernel to memory from cudaMalloc",
                       role));
  }
  if (end.allocation != nullptr) {
    const std::uint64_t room = end.allocation->end() - end.address;
    if (bytes <= room) return end;
    refuse(cudaErrorInvalidValue,
           fmt::format("the {} has room for {} bytes from there to the end of {}, not for {}{}; "
                       "the size is in bytes, not in elements",
                       role, room, end.allocation->describe(), bytes,
                       where_allocated(*end.allocation)));
  }
  if (!memory.contains(end.address)) {
    if (is_array_handle(pointer))
      refuse(cudaErrorInvalidValue,
             fmt::format("the {} is a CUDA array (cudaArray_t), which is not a pointer; use "
                         "cudaMemcpy2DToArray or cudaMemcpy2DFromArray",
                         role));
    if (!memory::is_host_memory(end.address))
      refuse(cudaErrorInvalidValue,
             fmt::format("the {} is {:#x}, where this program has no memory at all; was the "
                         "pointer ever set?",
                         role, end.address));
    if (const std::string wrong = wrong_with_host(end.address, bytes); !wrong.empty())
      refuse(cudaErrorInvalidValue, fmt::format("the {} {}", role, wrong));
    return end;
  }
  const memory::Allocation* near = memory.nearest(end.address);
  if (near == nullptr)
    refuse(cudaErrorInvalidValue,
           fmt::format("the {} is a device address outside every allocation", role));
  if (near->holds(end.address))
    refuse(cudaErrorInvalidValue,
           fmt::format("the {} is in {}, which was freed{}; copy before cudaFree", role,
                       near->describe(), other_place(free_site(near->base))));
  const bool is_behind = end.address >= near->end();
  refuse(cudaErrorInvalidValue,
         fmt::format("the {} is {} bytes {} of {}{}; the size of an allocation is in bytes, not in "
                     "elements",
                     role, is_behind ? end.address - near->end() : near->base - end.address,
                     is_behind ? "past the end" : "before the start", near->describe(),
                     near->live ? where_allocated(*near) : ", which was freed"));
}

/// Memory of the host may end anywhere: the known extent of the other end gives a better message.
void check_end_on_host(const CopyEnd& end, std::uint64_t bytes) {
  if (bytes == 0 || end.allocation != nullptr) return;
  if (memory::is_readable_by_host(end.address + bytes - 1)) return;
  refuse(cudaErrorInvalidValue,
         fmt::format("the {} has no {} bytes: this program has no memory where they would end; the "
                     "size is in bytes, not in elements",
                     end.role, bytes));
}

/// The side, host or device, that a copy's direction gives for one of its ends.
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
void check_is_no_pointer(const CopyEnd& end) {
  std::uint64_t held = 0;
  if (end.address % sizeof held != 0) return;
  for (const std::uint64_t byte : {end.address, end.address + sizeof held - 1})
    if (!memory::is_readable_by_host(byte)) return;
  std::memcpy(&held, reinterpret_cast<const void*>(end.address), sizeof held);
  const memory::Allocation* meant = runtime().memory.find(held);
  if (meant == nullptr || meant->base != held) return;
  refuse(cudaErrorInvalidValue,
         fmt::format("the {} is the address of a variable of the host that holds a device pointer, "
                     "not that pointer; leave out the &",
                     end.role));
}

void check_said_device(Said said, const CopyEnd& end) {
  if (said != Said::device || end.allocation != nullptr) return;
  check_is_no_pointer(end);
  if (registry().variable(reinterpret_cast<const void*>(end.address)) != nullptr)
    refuse(
        cudaErrorInvalidValue,
        fmt::format("the {} is the name of a device variable, which is not an address on the host; "
                    "use cudaMemcpyToSymbol or cudaMemcpyFromSymbol",
                    end.role));
  refuse(cudaErrorInvalidValue,
         fmt::format("the {} is host memory, but the copy's direction says device memory "
                     "(the order is destination, source, bytes, direction)",
                     end.role));
}

void check_said_host(Said said, const CopyEnd& end) {
  if (said != Said::host || !end.device_only() || end.allocation->kind == memory::Kind::registered)
    return;
  note(
      fmt::format("the {} is device memory, but the copy's direction says host memory. A GPU "
                  "goes by the pointers; the manual does not say what happens. Name the "
                  "intended direction, or cudaMemcpyDefault",
                  end.role));
}

/// Reports memory that was allocated by rows and is copied as if there were no padding between
/// them. A copy of whole rows with their padding, or without the last row's, is allowed.
void check_rows(const Copy& request, const CopyEnd& end, std::uint64_t pitch) {
  if (end.allocation == nullptr || request.slices > 1) return;
  const memory::Allocation& rows = *end.allocation;
  if (rows.row_bytes == rows.pitch) return;
  const std::uint64_t row_end = (end.address - rows.base) % rows.pitch + request.width;
  if (request.rows > 1 && pitch % rows.pitch != 0)
    note(fmt::format("the pitch of the {} is {}, and that of {} is {}, as cudaMallocPitch gave it",
                     end.role, pitch, rows.describe(), rows.pitch));
  else if (request.rows == 1 && row_end > rows.row_bytes && row_end % rows.pitch != 0 &&
           row_end % rows.pitch != rows.row_bytes)
    note(fmt::format(
        "the {} is memory in rows of {} bytes with a pitch of {} bytes (cudaMallocPitch), and "
        "this copy of {} bytes takes the padding between them for data: use "
        "cudaMemcpy2D, with the pitch of each side",
        end.role, rows.row_bytes, rows.pitch, request.width));
}

}  // namespace

CopyEnd target_of(const Fill& request) {
  // A fill reaches the heap of kernels; copies by the host do not.
  const CopyEnd to = look("destination", request.to,
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

CopyEnds ends_of(const Copy& request) {
  check_form(request);
  const Direction said = direction_of(request.kind);
  const auto reach = [&](std::size_t pitch, std::size_t slice) {
    return extent(request.width, request.rows, pitch, request.slices, slice);
  };
  const bool is_of_kernel = request.is_of_kernel;
  const std::uint64_t to_bytes = reach(request.to_pitch, request.to_slice),
                      from_bytes = reach(request.from_pitch, request.from_slice);
  const CopyEnds ends = {look("destination", request.to, to_bytes, is_of_kernel),
                         look("source", request.from, from_bytes, is_of_kernel)};
  check_end_on_host(ends.to, to_bytes);
  check_end_on_host(ends.from, from_bytes);
  check_said_device(said.to, ends.to);
  check_said_device(said.from, ends.from);
  check_said_host(said.to, ends.to);
  check_said_host(said.from, ends.from);
  check_rows(request, ends.to, request.to_pitch);
  check_rows(request, ends.from, request.from_pitch);
  return ends;
}

bool is_pageable(const CopyEnd& end) {
  return end.allocation == nullptr && !is_page_locked(reinterpret_cast<void*>(end.address));
}

bool touches_pageable(const Copy& request) {
  const CopyEnds ends = ends_of(request);
  return is_pageable(ends.to) || is_pageable(ends.from);
}

bool is_there(const CopyEnd& end, std::uint64_t bytes) {
  if (end.allocation != nullptr && end.allocation->kind != memory::Kind::registered) {
    const memory::Allocation* now = runtime().memory.find(end.address);
    return now != nullptr && !now->is_idle && end.address + bytes <= now->end();
  }
  if (end.user != nullptr && end.user->is_given_back()) return false;
  return memory::is_host_memory(end.address) && memory::is_host_memory(end.address + bytes - 1);
}

void tell_gone(const CopyEnd& end, const CallSite& from) {
  const memory::Allocation* freed = runtime().memory.nearest(end.address);
  const bool is_known = freed != nullptr && runtime().memory.contains(end.address);
  runtime().reporter.mistake(
      "use-after-free", watch::Severity::error,
      is_known
          ? fmt::format("the {} of this copy is in {}, which was freed before the copy ran{}; "
                        "free it when nothing uses it any more, including a graph that is launched "
                        "again",
                        end.role, freed->describe(), other_place(free_site(freed->base)))
          : fmt::format("the {} of this copy, host memory at 0x{:x}, was freed before the copy "
                        "was done; wait for the stream first (cudaStreamSynchronize)",
                        end.role, end.address),
      {from});
}

}  // namespace warpwise::cudart
