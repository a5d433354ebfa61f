#include "simulator/machine/tensor_box.h"

namespace warpwise::machine {

TensorBox::TensorBox(const TensorMap& map, const std::array<std::int32_t, 5>& at)
    : map_(map), at_(at) {
  // Columns are never skipped.
  counts_[0] = map.box[0];
  for (unsigned i = 1; i < map.rank; ++i) {
    counts_[i] = (map.box[i] + map.steps[i] - 1u) / map.steps[i];
    rows_ *= counts_[i];
  }
  row_bytes_ = counts_[0] * static_cast<std::uint32_t>(map.strides[0]);
  pitch_ = std::max<std::uint32_t>(row_bytes_, map.swizzle_bytes);
}

/// Chunks of 16 bytes change places within as many bytes as the swizzle has, by the number of the
/// line of 128 bytes that they lie in.
std::uint64_t TensorBox::swizzled(std::uint64_t address) const {
  if (map_.swizzle_bytes == 0) return address;
  const std::uint64_t chunks = map_.swizzle_bytes / chunk_bytes;
  return address ^ (address / 128 % chunks * chunk_bytes);
}

std::vector<code::Piece> TensorBox::pieces(std::uint64_t target) const {
  if (pitch_ == row_bytes_) return {{0, bytes()}};
  std::vector<code::Piece> found;
  found.reserve(bytes() / chunk_bytes);
  for_chunks(target, [&](std::uint32_t, std::uint32_t offset) {
    found.push_back({offset, chunk_bytes});
  });
  return found;
}

}  // namespace warpwise::machine
