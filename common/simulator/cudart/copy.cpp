#include "simulator/cudart/copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "simulator/cudart/allocation_sites.h"
#include "simulator/cudart/capture.h"
#include "simulator/cudart/error.h"
#include "simulator/cudart/heap_blocks.h"
#include "simulator/cudart/host_memory.h"
#include "simulator/cudart/host_room.h"
#include "simulator/cudart/overlap.h"
#include "simulator/cudart/pending_copies.h"
#include "simulator/cudart/registry.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/source_place.h"
#include "simulator/cudart/stream.h"
#include "simulator/memory/host_access.h"

namespace warpwise::cudart {
namespace {

/// Pageable sources up to this size are staged, so that the call need not wait.
constexpr std::size_t largest_staged = 64 << 10;

/// One end of a copy.
struct Side {
  const char* role;  ///< "source", "destination".
  std::uint64_t address;
  const memory::Allocation* allocation;  ///< null for the program's own memory.
  bool is_in_block = false;              ///< that malloc or new gave to the host

  bool on_device() const { return allocation != nullptr && !is_host_memory(allocation->kind); }
  bool device_only() const { return on_device() && allocation->kind != memory::Kind::managed; }
  std::byte* bytes() const {
    return allocation != nullptr ? runtime().memory.host(address)
                                 : reinterpret_cast<std::byte*>(address);
  }
};

[[noreturn]] void refuse(cudaError_t error, std::string why) {
  throw Failure{error, std::move(why), "invalid-copy"};
}

/// What works on a GPU, and is not meant: told once a call.
void note(const std::string& what) {
  static auto& calls = *new OncePerCall;
  const CallSite from = call_site();
  if (calls.is_first(from))
    runtime().reporter.mistake("invalid-copy", watch::Severity::note, what, {from, "cudaMemcpy"});
}

/// Bytes from the first to the last of `parts` parts of so many bytes, a distance apart.
std::uint64_t span(std::uint64_t bytes, std::size_t parts, std::uint64_t distance) {
  if (parts > 1 && distance > (SIZE_MAX - bytes) / (parts - 1)) {
    refuse(cudaErrorInvalidValue, "the rows reach beyond any address");
  }
  return bytes + (parts - 1) * distance;
}

/// Bytes from the first to the last of all rows of all slices.
/// @param fill of a fill, which looks at the pitch only where it matters.
/// A pitch that is too small has a code of its own in copies of more than one row.
std::uint64_t extent(std::size_t width, std::size_t rows, std::size_t pitch, std::size_t slices,
                     std::size_t slice, bool fill = false) {
  const bool plain = rows == 1 && slices == 1 && (pitch == 0 || fill);
  if (!plain && pitch < width) {
    refuse(fill || rows == 1 ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue,
           fmt::format("a pitch of {} bytes is less than the width of {}", pitch, width));
  }
  return span(span(width, rows, pitch), slices, slice);
}

bool is_empty(std::size_t width, std::size_t rows, std::size_t slices) {
  return width == 0 || rows == 0 || slices == 0;
}

std::string where_allocated(const memory::Allocation& allocation) {
  const std::string place = other_place(allocation_site(allocation.base));
  return place.empty() ? place : "; it was allocated earlier" + place;
}

Side look(const char* role, const void* pointer, std::uint64_t bytes, bool is_of_kernel) {
  const memory::AddressSpace& memory = runtime().memory;
  Side side{role, address_of(pointer), memory.find(address_of(pointer))};
  side.is_in_block = !side.on_device() && block_at(side.address, 1).has_value();
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
    if (!memory::is_host_memory(side.address))
      refuse(cudaErrorInvalidValue,
             fmt::format("the {} is {:#x}, where this program has no memory at all; was the "
                         "pointer ever set?",
                         role, side.address));
    if (const std::string wrong = wrong_with_host(side.address, bytes); !wrong.empty())
      refuse(cudaErrorInvalidValue, fmt::format("the {} {}", role, wrong));
    if (!memory::is_host_memory(side.address + bytes - 1))
      refuse(cudaErrorInvalidValue,
             fmt::format("the {} has no {} bytes: this program has no memory where they would "
                         "end; the size is in bytes, not in elements",
                         role, bytes));
    return side;
  }
  const memory::Allocation* near = memory.nearest(side.address);
  const bool freed = near != nullptr && near->holds(side.address);
  refuse(cudaErrorInvalidValue,
         freed ? fmt::format("the {} lies in {}, which was freed{}; copy before cudaFree", role,
                             near->describe(), other_place(free_site(near->base)))
               : fmt::format("the {} is a device address outside every allocation", role));
}

/// A GPU's runtime looks at it before the pointers.
void check_kind(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
    case cudaMemcpyHostToDevice:
    case cudaMemcpyDeviceToHost:
    case cudaMemcpyDeviceToDevice:
    case cudaMemcpyDefault:
      return;
  }
  refuse(cudaErrorInvalidMemcpyDirection, fmt::format("{} is no direction", int{kind}));
}

void check_direction(cudaMemcpyKind kind, const Side& to, const Side& from) {
  const auto need_device = [](const Side& side) {
    if (side.allocation != nullptr) return;
    if (registry().variable(reinterpret_cast<const void*>(side.address)) != nullptr)
      refuse(
          cudaErrorInvalidValue,
          fmt::format("the {} is the name of a device variable, which is no address on the host; "
                      "use cudaMemcpyToSymbol or cudaMemcpyFromSymbol",
                      side.role));
    refuse(cudaErrorInvalidValue,
           fmt::format("the {} is host memory, but the copy's direction says device memory "
                       "(the order is destination, source, bytes, direction)",
                       side.role));
  };
  const auto expect_host = [](const Side& side) {
    if (side.device_only() && side.allocation->kind != memory::Kind::registered)
      note(
          fmt::format("the {} is device memory, but the copy's direction says host memory. A GPU "
                      "goes by the pointers; the manual does not say what happens. Name the "
                      "direction that is meant, or cudaMemcpyDefault",
                      side.role));
  };
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost) expect_host(to);
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice) expect_host(from);
  switch (kind) {
    case cudaMemcpyHostToHost:
      return;
    case cudaMemcpyHostToDevice:
      need_device(to);
      return;
    case cudaMemcpyDeviceToHost:
      need_device(from);
      return;
    case cudaMemcpyDeviceToDevice:
      need_device(to), need_device(from);
      return;
    case cudaMemcpyDefault:
      return;
  }
}

/// Memory that was asked for by rows, and is copied as if there were no padding between them. Whole
/// rows with their padding may be meant, the last one without.
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
    note(
        fmt::format("the {} is memory by rows of {} bytes, {} bytes apart (cudaMallocPitch), and "
                    "this copy of {} bytes takes the padding between them for data: use "
                    "cudaMemcpy2D, with the pitch of each side",
                    side.role, rows.row_bytes, rows.pitch, request.width));
}

void move_rows(std::byte* to, const std::byte* from, const Copy& request) {
  for (std::size_t slice = 0; slice < request.slices; ++slice) {
    for (std::size_t row = 0; row < request.rows; ++row) {
      std::byte* target = to + slice * request.to_slice + row * request.to_pitch;
      const std::byte* source = from + slice * request.from_slice + row * request.from_pitch;
      std::memmove(target, source, request.width);
      runtime().memory.written(target, source, request.width);
    }
  }
}

/// True where nobody has written any byte of the source.
bool is_unwritten(const Copy& request) {
  constexpr std::uint64_t most_bytes = 64 << 20;  // To look costs a byte of memory for each.
  const memory::AddressSpace& memory = runtime().memory;
  const std::uint64_t begin = address_of(request.from);
  const memory::Allocation* found = memory.find(begin);
  if (found == nullptr || !found->is_tracked) return false;
  if (request.width * request.rows * request.slices > most_bytes) return false;
  for (std::size_t slice = 0; slice < request.slices; ++slice)
    for (std::size_t row = 0; row < request.rows; ++row) {
      const std::uint8_t* bytes =
          memory.validity(begin + slice * request.from_slice + row * request.from_pitch);
      const auto written = [](std::uint8_t state) {
        return state != static_cast<std::uint8_t>(memory::Validity::never_written);
      };
      if (std::any_of(bytes, bytes + request.width, written)) return false;
    }
  return true;
}

/// A note, since the copy may be of a buffer of which this time nothing is used.
void note_unwritten(const Copy& request, const CallSite& from) {
  static auto& calls = *new OncePerCall;
  // Where another stream has work left, that may be what was to write it: a race is told then.
  if (runtime().queue.has_pending_beside() || !is_unwritten(request)) return;
  if (!calls.is_first(from)) return;
  const memory::Allocation& source = *runtime().memory.find(address_of(request.from));
  runtime().reporter.mistake(
      "uninitialized", watch::Severity::note,
      fmt::format("the copy to the host reads {} bytes at offset {} of {}, and nobody has written "
                  "any of them: no kernel, no copy, no cudaMemset. Was the kernel launched, and "
                  "was it given this array?",
                  request.width * request.rows * request.slices,
                  address_of(request.from) - source.base, source.describe()),
      {from, "cudaMemcpy"});
}

/// The source as it is now, rows without gaps.
std::shared_ptr<std::vector<std::byte>> stage(const std::byte* from, const Copy& request) {
  auto staged =
      std::make_shared<std::vector<std::byte>>(request.width * request.rows * request.slices);
  Copy packed = request;
  packed.to_pitch = request.width;
  packed.to_slice = request.width * request.rows;
  move_rows(staged->data(), from, packed);
  return staged;
}

Fill bytes_of(void* to, int value, std::size_t width, std::size_t rows, std::size_t pitch) {
  Fill result;
  result.to = to;
  result.value = static_cast<unsigned>(value);
  result.width = width;
  result.rows = rows;
  result.pitch = pitch;
  return result;
}

void check_devices(int to, int from) {
  if (to != 0 || from != 0) throw Failure{cudaErrorInvalidDevice, "there is one device, number 0"};
}

bool pageable(const Side& side) {
  return side.allocation == nullptr && !is_page_locked(reinterpret_cast<void*>(side.address));
}

void wait_and_show(const OperationPtr& operation) {
  runtime().queue.wait(operation);
  after_wait();
}

void fill_rows(std::byte* to, const Fill& request) {
  for (std::size_t slice = 0; slice < request.slices; ++slice) {
    for (std::size_t row = 0; row < request.rows; ++row) {
      std::byte* begin = to + slice * request.slice + row * request.pitch;
      runtime().memory.written(begin, nullptr, request.width * request.element_bytes);
      if (request.element_bytes == 1) {
        std::memset(begin, static_cast<int>(request.value), request.width);
        continue;
      }
      for (std::size_t i = 0; i < request.width; ++i) {
        std::memcpy(begin + i * request.element_bytes, &request.value, request.element_bytes);
      }
    }
  }
}

Side target_of(const Fill& request) {
  const Side to = look("destination", request.to,
                       extent(request.width * request.element_bytes, request.rows, request.pitch,
                              request.slices, request.slice, true),
                       request.is_of_kernel);
  if (to.allocation == nullptr) {
    refuse(cudaErrorInvalidValue, "the destination is host memory; use memset for it");
  }
  return to;
}

/// Both ends of a copy, checked.
struct Sides {
  Side to, from;
};
Sides sides_of(const Copy& request) {
  check_kind(request.kind);
  const auto reach = [&](std::size_t pitch, std::size_t slice) {
    return extent(request.width, request.rows, pitch, request.slices, slice);
  };
  const bool is_of_kernel = request.is_of_kernel;
  const Sides sides = {
      look("destination", request.to, reach(request.to_pitch, request.to_slice), is_of_kernel),
      look("source", request.from, reach(request.from_pitch, request.from_slice), is_of_kernel)};
  check_direction(request.kind, sides.to, sides.from);
  check_rows(request, sides.to, request.to_pitch);
  check_rows(request, sides.from, request.from_pitch);
  return sides;
}

/// Memory may be gone when the copy is done at last.
bool is_there(const Side& side, std::uint64_t bytes) {
  if (side.allocation != nullptr && side.allocation->kind != memory::Kind::registered) {
    const memory::Allocation* now = runtime().memory.find(side.address);
    return now != nullptr && side.address + bytes <= now->end();
  }
  if (side.is_in_block && !block_at(side.address, 1)) return false;
  return memory::is_host_memory(side.address) && memory::is_host_memory(side.address + bytes - 1);
}

void tell_gone(const Side& side, const CallSite& from) {
  const memory::Allocation* freed = runtime().memory.nearest(side.address);
  const bool is_known = freed != nullptr && runtime().memory.contains(side.address);
  runtime().reporter.mistake(
      "use-after-free", watch::Severity::error,
      is_known
          ? fmt::format("the {} of this copy lies in {}, which was freed before the copy ran{}; "
                        "free it when nothing uses it any more, a graph that is launched again "
                        "included",
                        side.role, freed->describe(), other_place(free_site(freed->base)))
          : fmt::format("the {} of this copy, host memory at 0x{:x}, was freed before the copy "
                        "was done; wait for the stream first (cudaStreamSynchronize)",
                        side.role, side.address),
      {from});
}

}  // namespace

bool same_places(const Copy& a, const Copy& b) {
  const memory::AddressSpace& memory = runtime().memory;
  const auto on_device = [&](const void* pointer) {
    return Side{"", address_of(pointer), memory.find(address_of(pointer))}.on_device();
  };
  return on_device(a.to) == on_device(b.to) && on_device(a.from) == on_device(b.from);
}

Step prepare(const Copy& work) {
  Step step;
  step.run = [] {};
  if (is_empty(work.width, work.rows, work.slices)) return step;
  const Sides sides = sides_of(work);
  step.run = [work, out = sides.to.bytes(), in = sides.from.bytes(), from = call_site(),
              to_host = !sides.to.on_device(), sides] {
    if (faulted()) return;
    if (!is_there(sides.to, work.width)) return tell_gone(sides.to, from);
    if (!is_there(sides.from, work.width)) return tell_gone(sides.from, from);
    compare_copy(work, from);
    if (to_host) note_unwritten(work, from);
    move_rows(out, in, work);
  };
  return step;
}

Step prepare(const Fill& work) {
  Step step;
  step.run = [] {};
  if (is_empty(work.width, work.rows, work.slices)) return step;
  step.run = [work, to = target_of(work), out = target_of(work).bytes(), from = call_site()] {
    if (faulted()) return;
    if (!is_there(to, work.width)) return tell_gone(to, from);
    compare_fill(work, from);
    fill_rows(out, work);
  };
  return step;
}

void fill(const Fill& request, cudaStream_t stream, Return when) {
  find_stream(stream);
  if (is_empty(request.width, request.rows, request.slices)) return;
  const Side to = target_of(request);
  const OperationPtr issued = submit(stream, request);
  // Of a device array the host learns nothing, so that the real runtime does not wait either.
  if (when == Return::when_done && !to.device_only()) wait_and_show(issued);
}

void copy(const Copy& request, cudaStream_t stream, Return when) {
  const StreamPtr target = find_stream(stream);
  if (is_empty(request.width, request.rows, request.slices)) return;
  const auto [to, from] = sides_of(request);
  if (capture(target, request) != nullptr) return;

  Queue& queue = runtime().queue;
  const bool asynchronous = when == Return::when_host_free;
  if (asynchronous && pageable(from) && to.on_device() &&
      request.width * request.rows * request.slices <= largest_staged) {
    Copy packed = request;
    packed.from_pitch = request.width;
    packed.from_slice = request.width * request.rows;
    queue.issue(*target, [packed, bytes = to.bytes(), staged = stage(from.bytes(), request),
                          place = call_site()] {
      if (faulted()) return;
      compare_copy(packed, place);
      move_rows(bytes, staged->data(), packed);
    });
    return;
  }
  const OperationPtr issued = queue.issue(*target, prepare(request).run);
  const bool host_takes_part = !to.device_only() || !from.device_only();
  const bool must_wait = asynchronous ? pageable(to) || pageable(from) : host_takes_part;
  if (must_wait) return wait_and_show(issued);
  close_to_host(request, issued);
}

void close_to_host(const Copy& request, const OperationPtr& issued) {
  if (request.rows > 1 || request.slices > 1) return;
  close_to_host(request.to, request.width, CopyDoes::writes, issued);
  close_to_host(request.from, request.width, CopyDoes::reads, issued);
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  // What needs no device is answered without one.
  return (bytes == 0 ? call_after_fault : call)("cudaMemcpy", [&] {
    copy({.to = to, .from = from, .width = bytes, .kind = kind}, nullptr, Return::when_done);
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return call("cudaMemcpyAsync", [&] {
    copy({.to = to, .from = from, .width = bytes, .kind = kind}, stream, Return::when_host_free);
  });
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t rows, cudaMemcpyKind kind) {
  return call("cudaMemcpy2D", [&] {
    copy(copy_of_rows(to, to_pitch, from, from_pitch, width, rows, kind), nullptr,
         Return::when_done);
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t rows, cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpy2DAsync", [&] {
    copy(copy_of_rows(to, to_pitch, from, from_pitch, width, rows, kind), stream,
         Return::when_host_free);
  });
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return call("cudaMemset",
              [&] { fill(bytes_of(to, value, bytes, 1, 0), nullptr, Return::when_done); });
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return call("cudaMemsetAsync",
              [&] { fill(bytes_of(to, value, bytes, 1, 0), stream, Return::when_host_free); });
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t rows) {
  return call("cudaMemset2D",
              [&] { fill(bytes_of(to, value, width, rows, pitch), nullptr, Return::when_done); });
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t rows,
                              cudaStream_t stream) {
  return call("cudaMemset2DAsync", [&] {
    fill(bytes_of(to, value, width, rows, pitch), stream, Return::when_host_free);
  });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
  return call("cudaMemcpyPeer", [&] {
    check_devices(to_device, from_device);
    copy({.to = to, .from = from, .width = bytes, .kind = cudaMemcpyDefault}, nullptr,
         Return::when_done);
  });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  return call("cudaMemcpyPeerAsync", [&] {
    check_devices(to_device, from_device);
    copy({.to = to, .from = from, .width = bytes, .kind = cudaMemcpyDefault}, stream,
         Return::when_host_free);
  });
}

cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* bytes,
                                 size_t count, cudaMemcpyAttributes* attributes, size_t* first,
                                 size_t attribute_count, cudaStream_t stream) {
  return call("cudaMemcpyBatchAsync", [&] {
    if (to == nullptr || from == nullptr || bytes == nullptr || count == 0 ||
        attributes == nullptr || first == nullptr || attribute_count == 0 || first[0] != 0 ||
        stream == nullptr) {
      throw Failure{cudaErrorInvalidValue, ""};
    }
    for (std::size_t i = 0; i < attribute_count; ++i) {
      const auto order = attributes[i].srcAccessOrder;
      if (order < cudaMemcpySrcAccessOrderStream || order > cudaMemcpySrcAccessOrderAny) {
        throw Failure{cudaErrorInvalidValue, "there is no such order of access"};
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      copy({.to = to[i], .from = from[i], .width = bytes[i], .kind = cudaMemcpyDefault}, stream,
           Return::when_host_free);
    }
  });
}
}
