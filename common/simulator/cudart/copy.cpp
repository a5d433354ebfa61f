#include "simulator/cudart/copy.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "simulator/cudart/error.h"
#include "simulator/cudart/host_memory.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/stream.h"

namespace warpwise::cudart {
namespace {

/// Pageable sources up to this size are staged, so that the call need not wait.
constexpr std::size_t largest_staged = 64 << 10;

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// One end of a copy.
struct Side {
  const char* role;  ///< "source", "destination".
  std::uint64_t address;
  const memory::Allocation* allocation;  ///< null for the program's own memory.

  bool on_device() const {
    return allocation != nullptr && allocation->kind != memory::Kind::pinned &&
           allocation->kind != memory::Kind::mapped;
  }
  bool device_only() const { return on_device() && allocation->kind != memory::Kind::managed; }
  std::byte* bytes() const {
    return allocation != nullptr ? runtime().memory.host(address)
                                 : reinterpret_cast<std::byte*>(address);
  }
};

/// Bytes from the first to the last of all rows. @throws Failure when that is no number.
std::uint64_t extent(std::size_t width, std::size_t rows, std::size_t pitch) {
  const bool plain = rows == 1 && pitch == 0;
  if (plain) return width;
  if (pitch < width) {
    throw Failure{cudaErrorInvalidPitchValue,
                  fmt::format("a pitch of {} bytes is less than the width of {}", pitch, width)};
  }
  if ((rows - 1) > (SIZE_MAX - width) / pitch) throw Failure{cudaErrorInvalidValue, ""};
  return (rows - 1) * pitch + width;
}

Side look(const char* role, const void* pointer, std::uint64_t bytes) {
  const memory::AddressSpace& memory = runtime().memory;
  Side side{role, address_of(pointer), memory.find(address_of(pointer))};
  if (pointer == nullptr) throw Failure{cudaErrorInvalidValue, fmt::format("the {} is null", role)};
  if (side.allocation != nullptr && side.allocation->kind == memory::Kind::heap) {
    throw Failure{
        cudaErrorInvalidValue,
        fmt::format("the {} comes from malloc or new in a kernel, where calls of the host "
                    "cannot reach; copy it in a kernel to memory from cudaMalloc",
                    role)};
  }
  if (side.allocation != nullptr) {
    const std::uint64_t room = side.allocation->end() - side.address;
    if (bytes <= room) return side;
    throw Failure{
        cudaErrorInvalidValue,
        fmt::format("the {} has room for {} bytes from there to the end of {}, not for {}", role,
                    room, side.allocation->describe(), bytes)};
  }
  if (!memory.contains(side.address)) return side;
  const memory::Allocation* near = memory.nearest(side.address);
  const bool freed = near != nullptr && near->holds(side.address);
  throw Failure{cudaErrorInvalidValue,
                freed ? fmt::format("the {} lies in {}, which was freed", role, near->describe())
                      : fmt::format("the {} is a device address outside every allocation", role)};
}

void check_direction(cudaMemcpyKind kind, const Side& to, const Side& from) {
  const auto need_device = [](const Side& side) {
    if (side.allocation != nullptr) return;
    throw Failure{cudaErrorInvalidValue,
                  fmt::format("the {} is host memory, but the copy's direction says device memory "
                              "(the order is destination, source, bytes, direction)",
                              side.role)};
  };
  const auto need_host = [](const Side& side) {
    if (!side.device_only()) return;
    throw Failure{cudaErrorInvalidValue,
                  fmt::format("the {} is device memory, but the copy's direction says host memory "
                              "(the order is destination, source, bytes, direction)",
                              side.role)};
  };
  switch (kind) {
    case cudaMemcpyHostToHost:
      need_host(to), need_host(from);
      return;
    // On an H200 the host's side of a copy may be device memory as well.
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
  throw Failure{cudaErrorInvalidMemcpyDirection, fmt::format("{} is no direction", int{kind})};
}

void move_rows(std::byte* to, const std::byte* from, const Copy& request) {
  for (std::size_t row = 0; row < request.rows; ++row) {
    std::memmove(to + row * request.to_pitch, from + row * request.from_pitch, request.width);
  }
}

/// The source as it is now, rows without gaps.
std::shared_ptr<std::vector<std::byte>> stage(const std::byte* from, const Copy& request) {
  auto staged = std::make_shared<std::vector<std::byte>>(request.width * request.rows);
  Copy packed = request;
  packed.to_pitch = request.width;
  move_rows(staged->data(), from, packed);
  return staged;
}

bool pageable(const Side& side) {
  return side.allocation == nullptr && !is_page_locked(reinterpret_cast<void*>(side.address));
}

void wait_and_show(const OperationPtr& operation) {
  runtime().queue.wait(operation);
  after_wait();
}

/// A fill of rows; the value is a byte, as in memset.
struct Fill {
  void* to;
  int value;
  std::size_t width, rows = 1, pitch = 0;
};

void fill(const Fill& request, cudaStream_t stream, bool asynchronous) {
  const StreamPtr target = find_stream(stream);
  if (request.width == 0 || request.rows == 0) return;
  const Side to =
      look("destination", request.to, extent(request.width, request.rows, request.pitch));
  if (to.allocation == nullptr) {
    throw Failure{cudaErrorInvalidValue, "the destination is host memory; use memset for it"};
  }
  const OperationPtr issued = runtime().queue.issue(*target, [request, bytes = to.bytes()] {
    if (faulted()) return;
    for (std::size_t row = 0; row < request.rows; ++row) {
      std::memset(bytes + row * request.pitch, request.value, request.width);
    }
  });
  // Of a device array the host learns nothing, so that the real runtime does not wait either.
  if (!asynchronous && !to.device_only()) wait_and_show(issued);
}

}  // namespace

void copy(const Copy& request, cudaStream_t stream, Return when) {
  const StreamPtr target = find_stream(stream);
  if (request.width == 0 || request.rows == 0) return;
  const Side to =
      look("destination", request.to, extent(request.width, request.rows, request.to_pitch));
  const Side from =
      look("source", request.from, extent(request.width, request.rows, request.from_pitch));
  check_direction(request.kind, to, from);

  Queue& queue = runtime().queue;
  const bool asynchronous = when == Return::when_host_free;
  if (asynchronous && pageable(from) && to.on_device() &&
      request.width * request.rows <= largest_staged) {
    Copy packed = request;
    packed.from_pitch = request.width;
    queue.issue(*target, [packed, bytes = to.bytes(), staged = stage(from.bytes(), request)] {
      if (!faulted()) move_rows(bytes, staged->data(), packed);
    });
    return;
  }
  const OperationPtr issued = queue.issue(*target, [request, out = to.bytes(), in = from.bytes()] {
    if (!faulted()) move_rows(out, in, request);
  });
  const bool host_takes_part = !to.device_only() || !from.device_only();
  const bool must_wait = asynchronous ? pageable(to) || pageable(from) : host_takes_part;
  if (must_wait) wait_and_show(issued);
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpy", [&] {
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
    copy({to, from, width, rows, to_pitch, from_pitch, kind}, nullptr, Return::when_done);
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t rows, cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpy2DAsync", [&] {
    copy({to, from, width, rows, to_pitch, from_pitch, kind}, stream, Return::when_host_free);
  });
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return call("cudaMemset", [&] { fill({to, value, bytes}, nullptr, false); });
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return call("cudaMemsetAsync", [&] { fill({to, value, bytes}, stream, true); });
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t rows) {
  return call("cudaMemset2D", [&] { fill({to, value, width, rows, pitch}, nullptr, false); });
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t rows,
                              cudaStream_t stream) {
  return call("cudaMemset2DAsync", [&] { fill({to, value, width, rows, pitch}, stream, true); });
}
}
