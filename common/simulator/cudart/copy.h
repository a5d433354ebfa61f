#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

namespace warpwise::cudart {

/// A copy of `rows` rows of `width` bytes; a plain copy is one row.
struct Copy {
  void* to;
  const void* from;
  std::size_t width;
  std::size_t rows = 1;
  std::size_t to_pitch = 0;  ///< bytes from row to row; used only where there are several.
  std::size_t from_pitch = 0;
  cudaMemcpyKind kind = cudaMemcpyDefault;
};

/// When the function returns.
enum class Return {
  when_done,       ///< cudaMemcpy: except device to device, which no host waits for.
  when_host_free,  ///< cudaMemcpyAsync: at once, except where pageable memory makes it wait.
};

/// Checks the ranges and issues the copy to the stream.
/// @throws Failure cudaErrorInvalidValue, cudaErrorInvalidMemcpyDirection,
/// cudaErrorInvalidPitchValue.
void copy(const Copy& request, cudaStream_t stream, Return when);

}  // namespace warpwise::cudart
