#include "simulator/cudart/copies/copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "simulator/cudart/copies/copy_ends.h"
#include "simulator/cudart/copies/pending_copies.h"
#include "simulator/cudart/device/check_device.h"
#include "simulator/cudart/device/devices.h"
#include "simulator/cudart/launch/submit.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/queue/operations.h"
#include "simulator/cudart/queue/overlap.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/report/exit_notes.h"
#include "simulator/cudart/report/report.h"
#include "simulator/cudart/report/source_place.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

/// Pageable sources up to this size are staged, so that the call need not wait.
constexpr std::size_t largest_staged = 64 << 10;

bool is_empty(std::size_t width, std::size_t rows, std::size_t slices) {
  return width == 0 || rows == 0 || slices == 0;
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

/// @param row called with the address of each row of the source.
template <class Row>
void for_source_rows(const Copy& request, Row&& row) {
  for (std::size_t slice = 0; slice < request.slices; ++slice)
    for (std::size_t each = 0; each < request.rows; ++each)
      row(address_of(request.from) + slice * request.from_slice + each * request.from_pitch);
}

/// The bytes of a copy's source that no operation has written.
struct Unwritten {
  std::size_t bytes = 0;
  std::uint64_t first = 0;  ///< address
  bool is_tail = false;     ///< of one row: all bytes from the first on
};

Unwritten unwritten_of(const Copy& request) {
  constexpr std::uint64_t most_bytes = 64 << 20;  // the search reads a mark for each byte
  constexpr auto never_written = static_cast<std::uint8_t>(memory::Validity::never_written);
  const memory::AddressSpace& memory = runtime().memory;
  const memory::Allocation* found = memory.find(address_of(request.from));
  Unwritten result;
  if (found == nullptr || !found->has_all_writes()) return result;
  if (request.width * request.rows * request.slices > most_bytes) return result;
  for_source_rows(request, [&](std::uint64_t start) {
    const std::uint8_t* bytes = memory.validity(start);
    const std::uint8_t* end = bytes + request.width;
    // Most copies are searched to the end: memchr is many times as fast as std::find.
    const auto* first =
        static_cast<const std::uint8_t*>(std::memchr(bytes, never_written, request.width));
    if (first == nullptr) return;
    if (result.bytes == 0) result.first = start + static_cast<std::uint64_t>(first - bytes);
    result.bytes += static_cast<std::size_t>(std::count(first, end, never_written));
    result.is_tail = request.rows == 1 && request.slices == 1 &&
                     result.bytes == static_cast<std::size_t>(end - first);
  });
  return result;
}

/// A note, because the copy may be of a buffer that the program uses only in part this time, or not
/// at all.
void note_unwritten(const Copy& request, const CallSite& from) {
  static auto &calls = *new OncePerCall, &calls_of_parts = *new OncePerCall;
  // Pending work in another stream may be the work that was to write it: a race is reported then.
  if (runtime().queue.has_pending_beside()) return;
  const Unwritten unwritten = unwritten_of(request);
  if (unwritten.bytes == 0) return;
  const std::size_t all = request.width * request.rows * request.slices;
  const memory::Allocation& source = *runtime().memory.find(address_of(request.from));
  if (unwritten.bytes < all) {
    if (calls_of_parts.is_first(from))
      keep_half_written(
          from,
          fmt::format("the copy to the host reads {} bytes, {} of them never written, the "
                      "first at offset {} of {}",
                      all, unwritten.bytes, unwritten.first - source.base, source.describe()),
          {unwritten.first - source.base, unwritten.bytes, unwritten.is_tail});
    return;
  }
  if (!calls.is_first(from)) return;
  runtime().reporter.mistake(
      "uninitialized", watch::Severity::note,
      fmt::format("the copy to the host reads {} bytes at offset {} of {}, and none of them "
                  "was ever written: no kernel, no copy, no cudaMemset wrote there. Was the kernel "
                  "launched, and was it given this array?",
                  all, address_of(request.from) - source.base, source.describe()),
      {from, "cudaMemcpy"});
}

/// Results of values that were never written are used now: the launches that stored them are to
/// blame.
void read_derived(const Copy& request, const memory::Allocation& source) {
  if (!source.is_tracked) return;
  bool any = false;
  for_source_rows(request, [&](std::uint64_t start) {
    any |= runtime().memory.read_derived(start, request.width);
  });
  if (any) runtime().reporter.derived_was_read({source.id});
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

/// Checks that both ends of a copy between devices are memory of a device.
void check_peers(const void* to, const void* from) {
  const memory::AddressSpace& memory = runtime().memory;
  for (const void* end : {to, from})
    if (memory.find(address_of(end)) == nullptr)
      throw Failure{cudaErrorInvalidValue, "a side of the copy is not memory of a device",
                    "invalid-copy"};
}

void wait_and_show(const OperationPtr& operation) {
  runtime().queue.wait(operation);
  after_wait(operation->device);
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

/// If one device has access to the other, the copy takes the link; else it goes through the host
/// (CUDA programming guide, peer-to-peer memory copy).
void note_between_devices(const Copy& copy, const CopyEnds& ends) {
  if (!ends.to.device_only() || !ends.from.device_only()) return;
  const int to = ends.to.allocation->device, from = ends.from.allocation->device;
  if (to == from) return;
  const memory::Peers& peers = runtime().memory.peers();
  count_moved({from, to, copy.width * copy.rows * copy.slices,
               !peers.may(to, from) && !peers.may(from, to)});
}

/// The work of a copy when its turn comes. @param ends of it.
std::function<void()> run_of(const Copy& work, const CopyEnds& ends) {
  return [work, out = ends.to.bytes(), in = ends.from.bytes(), from = call_site(),
          to_host = !ends.to.on_device(), ends] {
    if (faulted()) return;
    if (!is_there(ends.to, work.width)) return tell_gone(ends.to, from);
    if (!is_there(ends.from, work.width)) return tell_gone(ends.from, from);
    compare_copy(work, from);
    if (ends.from.on_device()) read_derived(work, *ends.from.allocation);
    if (to_host) note_unwritten(work, from);
    move_rows(out, in, work);
    note_between_devices(work, ends);
    if (to_host && ends.from.on_device())
      runtime().copied_to_host += work.width * work.rows * work.slices;
  };
}

Does does(const CopyEnds& ends) {
  const auto& [to, from] = ends;
  if (is_pageable(to) || is_pageable(from)) return Does::pageable_copy;
  if (to.on_device() == from.on_device()) return Does::copy;
  return to.on_device() ? Does::copy_in : Does::copy_out;
}

}  // namespace

bool may_replace(const Copy& old, const Copy& now) {
  return old.kind == now.kind && (old.rows > 1) == (now.rows > 1);
}

Step prepare(const Copy& work) {
  Step step;
  step.run = [] {};
  if (is_empty(work.width, work.rows, work.slices)) return step;
  const CopyEnds ends = ends_of(work);
  step.run = run_of(work, ends);
  step.does = does(ends);
  return step;
}

Step prepare(const Fill& work) {
  Step step;
  step.run = [] {};
  if (is_empty(work.width, work.rows, work.slices)) return step;
  const CopyEnd to = target_of(work);
  step.run = [work, to, out = to.bytes(), from = call_site()] {
    if (faulted()) return;
    if (!is_there(to, work.width)) return tell_gone(to, from);
    compare_fill(work, from);
    fill_rows(out, work);
  };
  step.does = Does::fill;
  return step;
}

/// Instantiating the graph checks the memory that a captured fill writes to, and fails then. The
/// mistake is reported where it is made.
void capture_fill(const Fill& request, cudaStream_t stream) {
  try {
    target_of(request);
  } catch (const Failure& failure) {
    runtime().reporter.mistake(
        "invalid-copy", watch::Severity::note,
        fmt::format("a fill is captured that cannot be done, so that its graph cannot be "
                    "instantiated: {}",
                    failure.why),
        {call_site(), "cudaMemset"});
  }
  capture(find_stream(stream), request);
}

namespace {

/// A fill is work of its stream's device, which has to have access. (Copies need none.)
void check_access(const CopyEnd& to, const Stream& stream) {
  if (!to.on_device() || runtime().memory.reaches(stream.device, *to.allocation)) return;
  const int owner = to.allocation->device;
  throw Failure{cudaErrorInvalidValue,
                fmt::format("the memory is of device {}, and the stream is of device {}, which has "
                            "no access to it. Call cudaSetDevice({}) before, or use a stream of "
                            "device {}",
                            owner, stream.device, owner, owner)};
}

}  // namespace

void fill(const Fill& request, cudaStream_t stream, Return when) {
  const StreamPtr where = find_stream(stream);
  if (is_empty(request.width, request.rows, request.slices)) return;
  need_device();
  if (capture_of(*working_stream(stream)) != nullptr) return capture_fill(request, stream);
  const CopyEnd to = target_of(request);
  check_access(to, *where);
  const OperationPtr issued = submit(stream, request);
  // The host learns nothing of a device array, so the real runtime does not wait either.
  if (when == Return::when_done && !to.device_only()) wait_and_show(issued);
}

namespace {

void count_copy(const Copy& request, const CopyEnds& ends) {
  const Does kind = does(ends);
  const std::size_t bytes = request.width * request.rows * request.slices;
  if (kind == Does::pageable_copy) count(Counted::pageable_bytes, bytes);
  if (kind == Does::copy_in) count(Counted::pinned_bytes_in, bytes);
  if (kind == Does::copy_out) count(Counted::pinned_bytes_out, bytes);
}

/// A copy between the memories of two devices that is issued without a stream comes after all work
/// issued so far to either and to the current device, and before all later work. The host does not
/// wait for it, nor for a copy within one device.
std::set<int> devices_that_wait(const CopyEnds& ends, cudaStream_t stream, Return when) {
  if (when == Return::when_host_free || stream != nullptr) return {};
  if (!ends.to.device_only() || !ends.from.device_only()) return {};
  const int to = ends.to.allocation->device, from = ends.from.allocation->device;
  return to == from ? std::set<int>{} : std::set<int>{to, from, memory::current_device()};
}

}  // namespace

void copy(const Copy& request, cudaStream_t stream, Return when) {
  find_stream(stream);
  if (is_empty(request.width, request.rows, request.slices)) return;
  check_form(request);
  need_device();
  const StreamPtr target = working_stream(stream);
  const CopyEnds ends = ends_of(request);
  const auto& [to, from] = ends;
  if (capture(target, request) != nullptr) return;

  Queue& queue = runtime().queue;
  const bool asynchronous = when == Return::when_host_free;
  if (asynchronous && is_pageable(from) && to.on_device() &&
      request.width * request.rows * request.slices <= largest_staged) {
    Copy packed = request;
    packed.from_pitch = request.width;
    packed.from_slice = request.width * request.rows;
    const OperationPtr issued = queue.issue(
        *target,
        [packed, bytes = to.bytes(), staged = stage(from.bytes(), request), place = call_site()] {
          if (faulted()) return;
          compare_copy(packed, place);
          move_rows(bytes, staged->data(), packed);
        });
    queue.note_does(issued, does(ends));
    count_copy(request, ends);
    return;
  }
  const std::set<int> devices = devices_that_wait(ends, stream, when);
  const OperationPtr issued =
      devices.empty()
          ? queue.issue(*target, run_of(request, ends))
          : queue.issue_between_all(*target, run_of(request, ends), does(ends), devices);
  if (devices.empty()) queue.note_does(issued, does(ends));
  count_copy(request, ends);
  const bool host_takes_part = !to.device_only() || !from.device_only();
  const bool must_wait = asynchronous ? is_pageable(to) || is_pageable(from) : host_takes_part;
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
  return call_after_fault("cudaMemcpy", [&] {
    copy({.to = to, .from = from, .width = bytes, .kind = kind}, nullptr, Return::when_done);
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return call_after_fault("cudaMemcpyAsync", [&] {
    copy({.to = to, .from = from, .width = bytes, .kind = kind}, stream, Return::when_host_free);
  });
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t rows, cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpy2D", [&] {
    copy(copy_of_rows(to, to_pitch, from, from_pitch, width, rows, kind), nullptr,
         Return::when_done);
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t rows, cudaMemcpyKind kind, cudaStream_t stream) {
  return call_after_fault("cudaMemcpy2DAsync", [&] {
    copy(copy_of_rows(to, to_pitch, from, from_pitch, width, rows, kind), stream,
         Return::when_host_free);
  });
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return call_after_fault(
      "cudaMemset", [&] { fill(bytes_of(to, value, bytes, 1, 0), nullptr, Return::when_done); });
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return call_after_fault("cudaMemsetAsync", [&] {
    fill(bytes_of(to, value, bytes, 1, 0), stream, Return::when_host_free);
  });
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t rows) {
  return call_after_fault("cudaMemset2D", [&] {
    fill(bytes_of(to, value, width, rows, pitch), nullptr, Return::when_done);
  });
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t rows,
                              cudaStream_t stream) {
  return call_after_fault("cudaMemset2DAsync", [&] {
    fill(bytes_of(to, value, width, rows, pitch), stream, Return::when_host_free);
  });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
  return call_after_fault("cudaMemcpyPeer", [&] {
    check_device(to_device), check_device(from_device);
    if (bytes == 0) return;
    need_context_of(to_device), need_context_of(from_device);
    need_device();
    working_stream(nullptr);
    check_peers(to, from);
    copy({.to = to, .from = from, .width = bytes, .kind = cudaMemcpyDefault}, nullptr,
         Return::when_done);
  });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  return call_after_fault("cudaMemcpyPeerAsync", [&] {
    check_device(to_device), check_device(from_device);
    if (bytes == 0) return;
    need_device();
    forbid_beside_capture(stream);
    check_peers(to, from);
    copy({.to = to, .from = from, .width = bytes, .kind = cudaMemcpyDefault}, stream,
         Return::when_host_free);
  });
}

cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* bytes,
                                 size_t count, cudaMemcpyAttributes* attributes, size_t* first,
                                 size_t attribute_count, cudaStream_t stream) {
  return call_after_fault("cudaMemcpyBatchAsync", [&] {
    given(stream);
    need_device();
    given(to), given(from), given(bytes), given(attributes);
    if (count == 0 || attribute_count == 0 || given(first) != 0)
      throw Failure{cudaErrorInvalidValue, ""};
    for (std::size_t i = 0; i < attribute_count; ++i) {
      const auto order = attributes[i].srcAccessOrder;
      if (order < cudaMemcpySrcAccessOrderStream || order > cudaMemcpySrcAccessOrderAny) {
        throw Failure{cudaErrorInvalidValue, "unknown order of access"};
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      copy({.to = to[i], .from = from[i], .width = bytes[i], .kind = cudaMemcpyDefault}, stream,
           Return::when_host_free);
    }
  });
}
}
