#include "simulator/machine/copies/tensor_map.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace warpwise::machine {
namespace {

constexpr std::uint64_t map_mark = 0x50414d2d52534e54;

/// The map in memory.
struct Packed {
  std::uint64_t marked = map_mark;
  std::uint64_t check = 0;  ///< of all that follows
  std::uint64_t address = 0;
  std::uint64_t strides[4] = {};
  std::uint32_t last[5] = {};  ///< index of each dimension
  std::uint16_t box[5] = {}, pixels = 0;
  std::int16_t lower[3] = {}, upper[3] = {};
  std::uint8_t steps[5] = {};
  std::uint8_t element = 0, rank = 0, swizzle_bytes = 0, fills_with_nan = 0, is_im2col = 0,
               unused[2] = {};
};
static_assert(sizeof(Packed) <= TensorMap::bytes && sizeof(Packed) % 8 == 0);
static_assert(std::has_unique_object_representations_v<Packed>);

/// Some bytes of a map make it invalid.
std::uint64_t check_of(const Packed& map) {
  constexpr std::size_t from = offsetof(Packed, address) / 8;
  std::uint64_t words[sizeof(Packed) / 8];
  std::memcpy(words, &map, sizeof map);
  std::uint64_t hash = map_mark;
  for (std::size_t i = from; i < std::size(words); ++i)
    hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 32;
  return hash;
}

/// Whether the driver could have made it: programs may write any bytes.
bool is_possible(const TensorMap& map) {
  if (map.swizzle_bytes > 128 || (map.swizzle_bytes & (map.swizzle_bytes - 1)) != 0) return false;
  std::uint64_t bytes = map.strides[0];
  for (unsigned i = 0; i < map.rank; ++i) {
    if (map.box[i] == 0 || map.box[i] > TensorMap::most_in_box || map.steps[i] == 0) return false;
    bytes *= i ? (map.box[i] + map.steps[i] - 1u) / map.steps[i] : map.box[i];
    if (bytes > TensorMap::most_box_bytes) return false;
  }
  if (map.box[0] * map.strides[0] % TensorMap::row_unit != 0) return false;
  return !map.is_im2col ||
         (map.rank >= 3 && map.pixels > 0 && map.pixels <= TensorMap::most_pixels);
}

}  // namespace

isa::Type type_of(TensorMap::Element element) {
  using isa::Type;
  static constexpr Type types[] = {Type::u8,  Type::u16, Type::u32, Type::s32, Type::u64,
                                   Type::s64, Type::f16, Type::f32, Type::f64, Type::bf16,
                                   Type::f32, Type::f32, Type::f32};
  return types[static_cast<std::size_t>(element)];
}

std::array<std::byte, TensorMap::bytes> TensorMap::packed() const {
  Packed map;
  map.address = address;
  for (std::size_t i = 0; i < most_dimensions; ++i) {
    if (i + 1 < most_dimensions) map.strides[i] = strides[i + 1];
    map.last[i] = static_cast<std::uint32_t>(dims[i] - 1);
    map.box[i] = box[i];
    map.steps[i] = steps[i];
  }
  map.element = static_cast<std::uint8_t>(element);
  map.rank = rank;
  map.swizzle_bytes = swizzle_bytes;
  map.fills_with_nan = fills_with_nan;
  map.is_im2col = is_im2col;
  map.pixels = pixels;
  std::copy(lower.begin(), lower.end(), map.lower);
  std::copy(upper.begin(), upper.end(), map.upper);
  map.check = check_of(map);
  std::array<std::byte, bytes> result{};
  std::memcpy(result.data(), &map, sizeof map);
  return result;
}

std::optional<TensorMap> TensorMap::unpacked(std::span<const std::byte, bytes> from) {
  Packed map;
  std::memcpy(&map, from.data(), sizeof map);
  if (map.marked != map_mark || map.check != check_of(map)) return std::nullopt;
  if (map.element >= elements || map.rank < 1 || map.rank > most_dimensions) return std::nullopt;
  TensorMap result;
  result.address = map.address;
  result.element = static_cast<Element>(map.element);
  result.rank = map.rank;
  result.swizzle_bytes = map.swizzle_bytes;
  result.fills_with_nan = map.fills_with_nan;
  result.is_im2col = map.is_im2col;
  result.pixels = map.pixels;
  std::copy(map.lower, map.lower + 3, result.lower.begin());
  std::copy(map.upper, map.upper + 3, result.upper.begin());
  result.strides[0] = size_bytes(result.element);
  for (std::size_t i = 0; i < most_dimensions; ++i) {
    if (i + 1 < most_dimensions) result.strides[i + 1] = map.strides[i];
    result.dims[i] = std::uint64_t{map.last[i]} + 1;
    result.box[i] = map.box[i];
    result.steps[i] = map.steps[i];
  }
  if (!is_possible(result)) return std::nullopt;
  return result;
}

}  // namespace warpwise::machine
