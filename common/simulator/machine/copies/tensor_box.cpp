#include "simulator/machine/copies/tensor_box.h"

#include <limits>

namespace warpwise::machine {

TensorBox::TensorBox(const TensorMap& map, const Position& at, const Position& offsets)
    : map_(map), at_(at), offsets_(offsets), first_(at) {
  // Columns are never skipped.
  for (unsigned i = 1; i < map.rank; ++i) {
    const std::uint32_t count = (map.box[i] + map.steps[i] - 1u) / map.steps[i];
    if (!map.is_im2col) rows_ *= count;
    last_[i] = at[i] + (count - 1) * map.steps[i];
  }
  if (map.is_im2col) {
    rows_ = map.pixels;
    for (unsigned i = 1; i + 1 < map.rank; ++i) {
      first_[i] = map.lower[i - 1];
      last_[i] = map.last_pixel(i);
    }
    last_[map.rank - 1u] = std::numeric_limits<std::int64_t>::max();
  }
  row_bytes_ = map.box[0] * static_cast<std::uint32_t>(map.strides[0]);
  pitch_ = std::max<std::uint32_t>(row_bytes_, map.swizzle_bytes);
}

/// Chunks of 16 bytes change places within as many bytes as the swizzle has, by the number of the
/// line of 128 bytes that holds them.
std::uint64_t TensorBox::swizzled(std::uint64_t address) const {
  if (map_.swizzle_bytes == 0) return address;
  const std::uint64_t chunks = map_.swizzle_bytes / chunk_bytes;
  return address ^ (address / 128 % chunks * chunk_bytes);
}

/// The place of a chunk, from the address of the box on.
std::uint32_t TensorBox::place_of(std::uint64_t address, std::uint32_t row,
                                  std::uint32_t at) const {
  return static_cast<std::uint32_t>(swizzled(address + std::uint64_t{row} * pitch_ + at) - address);
}

std::vector<code::Piece> TensorBox::pieces(std::uint64_t address) const {
  if (pitch_ == row_bytes_) return {{0, bytes()}};
  std::vector<code::Piece> found;
  for_chunks(address, [&](std::uint32_t, std::uint32_t place) {
    found.push_back({place, chunk_bytes});
  });
  return found;
}

std::vector<code::Piece> TensorBox::stored_pieces(std::uint64_t address) const {
  std::uint32_t inside = 0;
  for_rows([&](const Row& row) { inside += row.bytes; });
  if (inside == bytes()) return pieces(address);
  std::vector<code::Piece> found;
  for_stored_chunks(address, [&](std::uint32_t, std::uint32_t place) {
    if (!found.empty() && found.back().offset + found.back().bytes == place)
      found.back().bytes += chunk_bytes;
    else
      found.push_back({place, chunk_bytes});
  });
  return found;
}

}  // namespace warpwise::machine
