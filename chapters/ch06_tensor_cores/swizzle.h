#pragma once

/// \file
/// Where a tile's 16-byte chunks are in shared memory, so that eight rows of one column hit eight
/// different groups of banks.
namespace tensor {

/// Elements of 16 bytes: what one lane copies, and what ldmatrix reads of a row.
inline constexpr int chunk_elements = 8;

/// Where the chunks of a tile of rows x depth 16-bit elements are.
///
/// Shared memory has 32 banks of 4 bytes: 128 bytes, eight chunks. Rows of 64 elements are 128
/// bytes long, so chunk 0 of every row would be in the same four banks. The chunk's number is
/// combined with the row's by exclusive or: within a row the chunks only change places, and chunk 0
/// of rows 0 to 7 is in eight different places.
/// @tparam depth of the tile in elements: 16, 32 or a multiple of 64.
template <int depth>
struct Swizzled {
  /// In bytes from the beginning of the tile.
  __device__ static int offset(int row, int chunk) {
    constexpr int chunks = depth / chunk_elements;
    // Short rows share a line of 128 bytes; the line's number takes the row's place.
    constexpr int rows_in_line = chunks < 8 ? 8 / chunks : 1;
    constexpr int places = chunks < 8 ? chunks : 8;
    return (row * chunks + (chunk ^ (row / rows_in_line % places))) * 16;
  }
};

}  // namespace tensor
