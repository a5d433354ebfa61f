#pragma once
#include <cuda_runtime_api.h>

#include <memory>
#include <vector>

#include "simulator/memory/texel_objects.h"

/// CUDA arrays: texels that a program reaches only by copies and through texture and surface
/// objects. Here they are stored in rows without gaps.
namespace warpwise::cudart {

struct Array {
  cudaChannelFormatDesc channels = {};
  cudaExtent extent = {};  ///< as asked for: a height or depth of 0 says how many dimensions it has
  unsigned flags = 0;
  memory::TexelView view;  ///< of one level
  bool is_level = false;   ///< of a mipmapped array, with which it is freed

  /// A height or depth of 0 counts as 1.
  std::size_t rows() const { return view.levels.front().height; }
  std::size_t slices() const { return view.levels.front().depth; }
  std::size_t row_bytes() const { return view.levels.front().pitch; }
};

struct MipmappedArray {
  std::vector<std::unique_ptr<Array>> levels;
  memory::TexelView view;  ///< of all levels
};

/// The array of a handle. @throws Failure cudaErrorInvalidResourceHandle where there is none.
const Array& array_of(cudaArray_const_t handle);
const MipmappedArray& mipmapped_array_of(cudaMipmappedArray_const_t handle);

/// Whether a program was given this as the handle of an array.
bool is_array_handle(const void* pointer);

/// True for the memory of an array that a program reaches only so.
bool is_array_memory(const void* pointer);

/// The format of one texel with these channels. @throws Failure cudaErrorInvalidChannelDescriptor
/// where the hardware has no such texels.
memory::TexelFormat format_of(const cudaChannelFormatDesc& channels);

/// A side of a copy: a part of an array, or of memory.
struct ArrayPart {
  char* first;
  std::size_t pitch, slice;  ///< bytes from row to row and from slice to slice
};
/// @param x,width in bytes.
/// @throws Failure cudaErrorInvalidValue where the part reaches past the end of the array.
ArrayPart part_of(const Array& array, std::size_t x, std::size_t y, std::size_t z,
                  std::size_t width, std::size_t rows, std::size_t slices);

}  // namespace warpwise::cudart
