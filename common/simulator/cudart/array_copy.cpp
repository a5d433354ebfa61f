#include <cuda_runtime_api.h>

#include "simulator/cudart/array.h"
#include "simulator/cudart/copy.h"
#include "simulator/cudart/error.h"
#include "simulator/cudart/stream.h"

// Copies to, from and between arrays, a rectangle at a time. volume.cpp has those of boxes.
namespace warpwise::cudart {
namespace {

/// A rectangle of an array. @param x,width in bytes.
struct Rectangle {
  cudaArray_const_t array;
  std::size_t x, y;
  std::size_t width, rows;

  bool is_empty() const { return width == 0 || rows == 0; }
  ArrayPart part() const { return part_of(array_of(array), x, y, 0, width, rows, 1); }
};

/// The old functions without rows: whatever is no direction at all is taken for one.
cudaMemcpyKind known(cudaMemcpyKind kind) {
  return kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault ? cudaMemcpyDefault : kind;
}

/// @throws Failure where the direction says that the array's side is of the host.
void check_direction(cudaMemcpyKind kind, cudaMemcpyKind wrong) {
  if (kind == wrong || kind == cudaMemcpyHostToHost)
    throw Failure{cudaErrorInvalidMemcpyDirection,
                  "the direction says host memory, but an array is device memory", "invalid-copy"};
}

/// @throws Failure where rows of the memory overlap.
void check_pitch(std::size_t pitch, const Rectangle& rectangle) {
  if (rectangle.rows > 1 && rectangle.width > pitch)
    throw Failure{cudaErrorInvalidPitchValue, "the rows overlap", "invalid-copy"};
}

void copy_to(const Rectangle& to, const void* from, std::size_t pitch, cudaMemcpyKind kind,
             cudaStream_t stream, Return when) {
  if (to.is_empty()) return void(find_stream(stream));
  check_direction(kind, cudaMemcpyDeviceToHost);
  check_pitch(pitch, to);
  const ArrayPart part = to.part();
  copy(copy_of_rows(part.first, part.pitch, from, pitch, to.width, to.rows, kind), stream, when);
}

void copy_from(void* to, std::size_t pitch, const Rectangle& from, cudaMemcpyKind kind,
               cudaStream_t stream, Return when) {
  if (from.is_empty()) return void(find_stream(stream));
  check_direction(kind, cudaMemcpyHostToDevice);
  check_pitch(pitch, from);
  const ArrayPart part = from.part();
  copy(copy_of_rows(to, pitch, part.first, part.pitch, from.width, from.rows, kind), stream, when);
}

/// So many bytes from there on, row after row: in an array rows have no gaps.
char* run_of(cudaArray_const_t handle, std::size_t x, std::size_t y, std::size_t bytes) {
  const Array& array = array_of(handle);
  char* first = part_of(array, x, y, 0, 0, 0, 0).first;
  if (bytes > (array.rows() - y) * array.row_bytes() - x)
    throw Failure{cudaErrorInvalidValue, "the copy reaches beyond the array", "invalid-copy"};
  return first;
}

void copy_run_to(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                 cudaMemcpyKind kind, cudaStream_t stream, Return when) {
  if (bytes == 0) return void(find_stream(stream));
  check_direction(kind, cudaMemcpyDeviceToHost);
  copy({.to = run_of(to, x, y, bytes), .from = from, .width = bytes, .kind = known(kind)}, stream,
       when);
}

void copy_run_from(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                   std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream, Return when) {
  if (bytes == 0) return void(find_stream(stream));
  check_direction(kind, cudaMemcpyHostToDevice);
  copy({.to = to, .from = run_of(from, x, y, bytes), .width = bytes, .kind = known(kind)}, stream,
       when);
}

/// Between arrays no side is of the host. @throws Failure.
void check_between(cudaMemcpyKind kind) {
  check_direction(kind, cudaMemcpyHostToDevice);
  check_direction(kind, cudaMemcpyDeviceToHost);
}

void copy_between(const Rectangle& from, cudaArray_t to, std::size_t x, std::size_t y,
                  cudaMemcpyKind kind, cudaStream_t stream) {
  if (from.is_empty()) return;
  if (to == nullptr) throw Failure{cudaErrorInvalidValue, "the array is null"};
  check_between(kind);
  const ArrayPart source = from.part();
  copy_to({to, x, y, from.width, from.rows}, source.first, source.pitch, kind, stream,
          Return::when_done);
}

/// A run of bytes in an array.
struct Run {
  cudaArray_const_t array;
  std::size_t x, y;
};

void copy_run_between(const Run& to, const Run& from, std::size_t bytes, cudaMemcpyKind kind,
                      cudaStream_t stream) {
  if (bytes == 0) return;
  check_between(kind);
  copy({.to = run_of(to.array, to.x, to.y, bytes),
        .from = run_of(from.array, from.x, from.y, bytes),
        .width = bytes,
        .kind = kind},
       stream, Return::when_done);
}

/// Programs built with --default-stream per-thread name the functions otherwise.
cudaStream_t own(cudaStream_t stream) { return stream == nullptr ? cudaStreamPerThread : stream; }

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t rows, cudaMemcpyKind kind) {
  return call("cudaMemcpy2DToArray", [&] {
    copy_to({to, x, y, width, rows}, from, pitch, kind, nullptr, Return::when_done);
  });
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t rows, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return call("cudaMemcpy2DToArrayAsync", [&] {
    copy_to({to, x, y, width, rows}, from, pitch, kind, stream, Return::when_host_free);
  });
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t rows, cudaMemcpyKind kind) {
  return call("cudaMemcpy2DFromArray", [&] {
    copy_from(to, pitch, {from, x, y, width, rows}, kind, nullptr, Return::when_done);
  });
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t rows, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return call("cudaMemcpy2DFromArrayAsync", [&] {
    copy_from(to, pitch, {from, x, y, width, rows}, kind, stream, Return::when_host_free);
  });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t rows, cudaMemcpyKind kind) {
  return call("cudaMemcpy2DArrayToArray", [&] {
    copy_between({from, from_x, from_y, width, rows}, to, to_x, to_y, kind, nullptr);
  });
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return call("cudaMemcpyToArray",
              [&] { copy_run_to(to, x, y, from, bytes, kind, nullptr, Return::when_done); });
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpyToArrayAsync",
              [&] { copy_run_to(to, x, y, from, bytes, kind, stream, Return::when_host_free); });
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return call("cudaMemcpyFromArray",
              [&] { copy_run_from(to, from, x, y, bytes, kind, nullptr, Return::when_done); });
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpyFromArrayAsync",
              [&] { copy_run_from(to, from, x, y, bytes, kind, stream, Return::when_host_free); });
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t bytes,
                                   cudaMemcpyKind kind) {
  return call("cudaMemcpyArrayToArray", [&] {
    copy_run_between({to, to_x, to_y}, {from, from_x, from_y}, bytes, kind, nullptr);
  });
}

cudaError_t cudaMemcpy2DToArray_ptds(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t rows, cudaMemcpyKind kind) {
  return call("cudaMemcpy2DToArray", [&] {
    copy_to({to, x, y, width, rows}, from, pitch, kind, cudaStreamPerThread, Return::when_done);
  });
}

cudaError_t cudaMemcpy2DToArrayAsync_ptsz(cudaArray_t to, size_t x, size_t y, const void* from,
                                          size_t pitch, size_t width, size_t rows,
                                          cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpy2DToArrayAsync", [&] {
    copy_to({to, x, y, width, rows}, from, pitch, kind, own(stream), Return::when_host_free);
  });
}

cudaError_t cudaMemcpy2DFromArray_ptds(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t rows, cudaMemcpyKind kind) {
  return call("cudaMemcpy2DFromArray", [&] {
    copy_from(to, pitch, {from, x, y, width, rows}, kind, cudaStreamPerThread, Return::when_done);
  });
}

cudaError_t cudaMemcpy2DFromArrayAsync_ptsz(void* to, size_t pitch, cudaArray_const_t from,
                                            size_t x, size_t y, size_t width, size_t rows,
                                            cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpy2DFromArrayAsync", [&] {
    copy_from(to, pitch, {from, x, y, width, rows}, kind, own(stream), Return::when_host_free);
  });
}

cudaError_t cudaMemcpy2DArrayToArray_ptds(cudaArray_t to, size_t to_x, size_t to_y,
                                          cudaArray_const_t from, size_t from_x, size_t from_y,
                                          size_t width, size_t rows, cudaMemcpyKind kind) {
  return call("cudaMemcpy2DArrayToArray", [&] {
    copy_between({from, from_x, from_y, width, rows}, to, to_x, to_y, kind, cudaStreamPerThread);
  });
}

cudaError_t cudaMemcpyToArray_ptds(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpyToArray", [&] {
    copy_run_to(to, x, y, from, bytes, kind, cudaStreamPerThread, Return::when_done);
  });
}

cudaError_t cudaMemcpyToArrayAsync_ptsz(cudaArray_t to, size_t x, size_t y, const void* from,
                                        size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpyToArrayAsync", [&] {
    copy_run_to(to, x, y, from, bytes, kind, own(stream), Return::when_host_free);
  });
}

cudaError_t cudaMemcpyFromArray_ptds(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpyFromArray", [&] {
    copy_run_from(to, from, x, y, bytes, kind, cudaStreamPerThread, Return::when_done);
  });
}

cudaError_t cudaMemcpyFromArrayAsync_ptsz(void* to, cudaArray_const_t from, size_t x, size_t y,
                                          size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpyFromArrayAsync", [&] {
    copy_run_from(to, from, x, y, bytes, kind, own(stream), Return::when_host_free);
  });
}

cudaError_t cudaMemcpyArrayToArray_ptds(cudaArray_t to, size_t to_x, size_t to_y,
                                        cudaArray_const_t from, size_t from_x, size_t from_y,
                                        size_t bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpyArrayToArray", [&] {
    copy_run_between({to, to_x, to_y}, {from, from_x, from_y}, bytes, kind, cudaStreamPerThread);
  });
}
}
