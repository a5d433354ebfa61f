#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

#include "simulator/cudart/launch/work.h"

namespace warpwise::cudart {

/// When the function returns.
enum class Return {
  when_done,       ///< cudaMemcpy: except device to device, which no host waits for.
  when_host_free,  ///< cudaMemcpyAsync: at once, unless pageable memory makes it wait.
};

/// The copy that cudaMemcpy2D and its variants ask for: `rows` rows of `width` bytes, one per
/// pitch.
inline Copy copy_of_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t rows, cudaMemcpyKind kind) {
  return {.to = to,
          .from = from,
          .width = width,
          .rows = rows,
          .to_pitch = to_pitch,
          .from_pitch = from_pitch,
          .kind = kind};
}

/// Checks the ranges and issues the copy to the stream.
/// @throws Failure cudaErrorInvalidValue, cudaErrorInvalidMemcpyDirection,
/// cudaErrorInvalidPitchValue.
void copy(const Copy& request, cudaStream_t stream, Return when);

/// The copy has been issued to run while the host goes on: closes page-locked memory that it uses
/// to the host (pending_copies.h), except for a copy of several rows.
void close_to_host(const Copy& request, const OperationPtr& issued);

/// The same for a fill. @throws Failure cudaErrorInvalidValue, cudaErrorInvalidPitchValue.
void fill(const Fill& request, cudaStream_t stream, Return when);

/// True where a node of an instantiated graph may get this copy instead: the named direction has to
/// stay, and so does a single row.
bool may_replace(const Copy& old, const Copy& now);

}  // namespace warpwise::cudart
