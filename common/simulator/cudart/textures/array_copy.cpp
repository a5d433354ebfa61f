#include "simulator/cudart/textures/array_copy.h"

#include "simulator/cudart/copies/copy_ends.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/textures/array.h"

namespace warpwise::cudart {
namespace {

ArrayPart part_of(const Rectangle& rectangle) {
  return part_of(array_of(rectangle.array), rectangle.x, rectangle.y, 0, rectangle.width,
                 rectangle.rows, 1);
}

bool is_direction(cudaMemcpyKind kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}

/// @throws Failure where the direction names the host for the array's side.
void check_direction(cudaMemcpyKind kind, cudaMemcpyKind wrong) {
  if (kind == wrong || kind == cudaMemcpyHostToHost)
    throw Failure{cudaErrorInvalidMemcpyDirection,
                  "the direction says host memory, but an array is device memory", "invalid-copy"};
}

/// Between arrays, neither side is the host's.
void check_between(cudaMemcpyKind kind) {
  check_direction(kind, cudaMemcpyHostToDevice);
  check_direction(kind, cudaMemcpyDeviceToHost);
  check_form({.kind = kind});
}

/// Between an array and rows of memory.
void check_rows(const Rectangle& rectangle, std::size_t pitch, cudaMemcpyKind kind,
                cudaMemcpyKind wrong, cudaStream_t stream) {
  check_direction(kind, wrong);
  check_form(copy_of_rows(nullptr, rectangle.width, nullptr, pitch, rectangle.width, rectangle.rows,
                          kind));
  array_of(rectangle.array);
  need_device();
  working_stream(stream);
}

/// @throws Failure where `bytes` bytes reach past the end of the array.
char* start_of(const Run& run, std::size_t bytes) {
  const Array& array = array_of(run.array);
  char* first = part_of(array, run.x, run.y, 0, 0, 0, 0).first;
  if (bytes > (array.rows() - run.y) * array.row_bytes() - run.x)
    throw Failure{cudaErrorInvalidValue, "the copy reaches beyond the array", "invalid-copy"};
  return first;
}

}  // namespace

void copy_to(const Rectangle& to, const void* from, std::size_t pitch, cudaMemcpyKind kind,
             cudaStream_t stream, Return when) {
  if (to.is_empty()) return void(find_stream(stream));
  check_rows(to, pitch, kind, cudaMemcpyDeviceToHost, stream);
  const ArrayPart part = part_of(to);
  copy(copy_of_rows(part.first, part.pitch, from, pitch, to.width, to.rows, kind), stream, when);
}

void copy_from(void* to, std::size_t pitch, const Rectangle& from, cudaMemcpyKind kind,
               cudaStream_t stream, Return when) {
  if (from.is_empty()) return void(find_stream(stream));
  check_rows(from, pitch, kind, cudaMemcpyHostToDevice, stream);
  const ArrayPart part = part_of(from);
  copy(copy_of_rows(to, pitch, part.first, part.pitch, from.width, from.rows, kind), stream, when);
}

void copy_between(const Rectangle& from, cudaArray_t to, std::size_t x, std::size_t y,
                  cudaMemcpyKind kind, cudaStream_t stream) {
  if (from.is_empty()) return;
  check_between(kind);
  array_of(from.array);
  need_device();
  working_stream(stream);
  if (to == nullptr) throw Failure{cudaErrorInvalidValue, "the array is null"};
  const ArrayPart source = part_of(from);
  copy_to({to, x, y, from.width, from.rows}, source.first, source.pitch, kind, stream,
          Return::when_done);
}

void copy_run_to(const Run& to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                 cudaStream_t stream, Return when) {
  if (bytes == 0) return void(find_stream(stream));
  if (!is_direction(kind)) return;
  check_direction(kind, cudaMemcpyDeviceToHost);
  array_of(to.array);
  need_device();
  working_stream(stream);
  copy({.to = start_of(to, bytes), .from = from, .width = bytes, .kind = kind}, stream, when);
}

void copy_run_from(void* to, const Run& from, std::size_t bytes, cudaMemcpyKind kind,
                   cudaStream_t stream, Return when) {
  if (bytes == 0) return void(find_stream(stream));
  if (!is_direction(kind)) return;
  check_direction(kind, cudaMemcpyHostToDevice);
  array_of(from.array);
  need_device();
  working_stream(stream);
  copy({.to = to, .from = start_of(from, bytes), .width = bytes, .kind = kind}, stream, when);
}

void copy_run_between(const Run& to, const Run& from, std::size_t bytes, cudaMemcpyKind kind,
                      cudaStream_t stream) {
  if (bytes == 0) return;
  check_between(kind);
  need_device();
  forbid_while_capturing();
  copy({.to = start_of(to, bytes), .from = start_of(from, bytes), .width = bytes, .kind = kind},
       stream, Return::when_done);
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t rows, cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpy2DToArray", [&] {
    copy_to({to, x, y, width, rows}, from, pitch, kind, nullptr, Return::when_done);
  });
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t rows, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return call_after_fault("cudaMemcpy2DToArrayAsync", [&] {
    copy_to({to, x, y, width, rows}, from, pitch, kind, stream, Return::when_host_free);
  });
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t rows, cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpy2DFromArray", [&] {
    copy_from(to, pitch, {from, x, y, width, rows}, kind, nullptr, Return::when_done);
  });
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t rows, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return call_after_fault("cudaMemcpy2DFromArrayAsync", [&] {
    copy_from(to, pitch, {from, x, y, width, rows}, kind, stream, Return::when_host_free);
  });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t rows, cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpy2DArrayToArray", [&] {
    copy_between({from, from_x, from_y, width, rows}, to, to_x, to_y, kind, nullptr);
  });
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpyToArray", [&] {
    copy_run_to({to, x, y}, from, bytes, kind, nullptr, Return::when_done);
  });
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call_after_fault("cudaMemcpyToArrayAsync", [&] {
    copy_run_to({to, x, y}, from, bytes, kind, stream, Return::when_host_free);
  });
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpyFromArray", [&] {
    copy_run_from(to, {from, x, y}, bytes, kind, nullptr, Return::when_done);
  });
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call_after_fault("cudaMemcpyFromArrayAsync", [&] {
    copy_run_from(to, {from, x, y}, bytes, kind, stream, Return::when_host_free);
  });
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t bytes,
                                   cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpyArrayToArray", [&] {
    copy_run_between({to, to_x, to_y}, {from, from_x, from_y}, bytes, kind, nullptr);
  });
}
}
