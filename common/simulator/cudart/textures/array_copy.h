#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

#include "simulator/cudart/copies/copy.h"

/// Copies to, from and between arrays, a rectangle or a run of bytes at a time. volume.h has those
/// of boxes. All functions check their arguments and issue the copy to the stream.
/// @throws Failure cudaErrorInvalidValue, cudaErrorInvalidResourceHandle,
/// cudaErrorInvalidMemcpyDirection, cudaErrorInvalidPitchValue.
namespace warpwise::cudart {

/// A rectangle of an array. @param x,width in bytes.
struct Rectangle {
  cudaArray_const_t array;
  std::size_t x, y;
  std::size_t width, rows;

  bool is_empty() const { return width == 0 || rows == 0; }
};

void copy_to(const Rectangle& to, const void* from, std::size_t pitch, cudaMemcpyKind kind,
             cudaStream_t stream, Return when);
void copy_from(void* to, std::size_t pitch, const Rectangle& from, cudaMemcpyKind kind,
               cudaStream_t stream, Return when);
void copy_between(const Rectangle& from, cudaArray_t to, std::size_t x, std::size_t y,
                  cudaMemcpyKind kind, cudaStream_t stream);

/// Where a run of bytes in an array begins. It goes on row after row, without gaps.
struct Run {
  cudaArray_const_t array;
  std::size_t x, y;
};

/// These two copy nothing if the direction is invalid.
void copy_run_to(const Run& to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                 cudaStream_t stream, Return when);
void copy_run_from(void* to, const Run& from, std::size_t bytes, cudaMemcpyKind kind,
                   cudaStream_t stream, Return when);
void copy_run_between(const Run& to, const Run& from, std::size_t bytes, cudaMemcpyKind kind,
                      cudaStream_t stream);

}  // namespace warpwise::cudart
