#include "simulator/machine/copies/tensor_tile.h"

#include <cstring>

#include "simulator/memory/address_space.h"

namespace warpwise::machine {
namespace {

/// To the nearest with 10 digits, half way to the even one.
std::uint32_t rounded_to_tf32(std::uint32_t bits) {
  constexpr std::uint32_t infinity = 0x7f800000, nan = 0x7fffe000, dropped = 0x1fff;
  if ((bits & ~0u >> 1) > infinity) return nan;
  const std::uint32_t is_odd = (bits & (dropped + 1)) != 0;
  return (bits + dropped / 2 + is_odd) & ~dropped;
}

}  // namespace

TensorTile::TensorTile(const TensorBox& box)
    : bytes(box.bytes() + TensorBox::chunk_bytes),
      valid(bytes.size(), static_cast<std::uint8_t>(memory::Validity::defined)) {}

/// The same 16 bits for all types.
void TensorTile::fill_with_nan() {
  constexpr std::uint16_t nan = 0x7ff7;
  for (std::size_t at = 0; at + sizeof nan <= bytes.size(); at += sizeof nan)
    std::memcpy(bytes.data() + at, &nan, sizeof nan);
}

void TensorTile::round(TensorMap::Element element, std::uint32_t offset, std::uint32_t count) {
  if (element != TensorMap::Element::tf32 && element != TensorMap::Element::tf32_ftz) return;
  for (std::uint32_t at = offset; at < offset + count; at += 4) {
    std::uint32_t word;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    word = rounded_to_tf32(word);
    std::memcpy(bytes.data() + at, &word, sizeof word);
  }
}

}  // namespace warpwise::machine
