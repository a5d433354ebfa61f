#include <cuda_runtime_api.h>

#include "simulator/cudart/array.h"
#include "simulator/cudart/copy.h"
#include "simulator/cudart/error.h"

// Copies to, from and between arrays, a rectangle at a time. volume.cpp has those of boxes.
namespace warpwise::cudart {
namespace {

/// A rectangle of an array. @param x,width in bytes.
struct Rectangle {
  cudaArray_const_t array;
  std::size_t x, y;
  std::size_t width, rows;

  ArrayPart part() const { return part_of(array_of(array), x, y, 0, width, rows, 1); }
};

/// @throws Failure where the direction says that the array's side is of the host.
void check_direction(cudaMemcpyKind kind, cudaMemcpyKind wrong) {
  if (kind == wrong || kind == cudaMemcpyHostToHost)
    throw Failure{cudaErrorInvalidMemcpyDirection,
                  "the direction says host memory, but an array is device memory", "invalid-copy"};
}

void copy_to(const Rectangle& to, const void* from, std::size_t pitch, cudaMemcpyKind kind,
             cudaStream_t stream, Return when) {
  check_direction(kind, cudaMemcpyDeviceToHost);
  const ArrayPart part = to.part();
  copy(copy_of_rows(part.first, part.pitch, from, pitch, to.width, to.rows, kind), stream, when);
}

void copy_from(void* to, std::size_t pitch, const Rectangle& from, cudaMemcpyKind kind,
               cudaStream_t stream, Return when) {
  check_direction(kind, cudaMemcpyHostToDevice);
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
    check_direction(kind, cudaMemcpyHostToDevice);
    const ArrayPart source = Rectangle{from, from_x, from_y, width, rows}.part();
    copy_to({to, to_x, to_y, width, rows}, source.first, source.pitch, kind, nullptr,
            Return::when_done);
  });
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return call("cudaMemcpyToArray", [&] {
    copy({.to = run_of(to, x, y, bytes), .from = from, .width = bytes, .kind = kind}, nullptr,
         Return::when_done);
  });
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpyToArrayAsync", [&] {
    copy({.to = run_of(to, x, y, bytes), .from = from, .width = bytes, .kind = kind}, stream,
         Return::when_host_free);
  });
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return call("cudaMemcpyFromArray", [&] {
    copy({.to = to, .from = run_of(from, x, y, bytes), .width = bytes, .kind = kind}, nullptr,
         Return::when_done);
  });
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpyFromArrayAsync", [&] {
    copy({.to = to, .from = run_of(from, x, y, bytes), .width = bytes, .kind = kind}, stream,
         Return::when_host_free);
  });
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t bytes,
                                   cudaMemcpyKind kind) {
  return call("cudaMemcpyArrayToArray", [&] {
    copy({.to = run_of(to, to_x, to_y, bytes),
          .from = run_of(from, from_x, from_y, bytes),
          .width = bytes,
          .kind = kind},
         nullptr, Return::when_done);
  });
}
}
