#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "simulator/isa/type.h"

namespace warpwise::machine {

/// The content of a CUtensorMap: a tensor in global memory, and the box of it that a copy moves.
/// The driver's 128 bytes are opaque; these are in a format of our own.
struct TensorMap {
  static constexpr std::size_t bytes = 128;
  static constexpr std::size_t alignment = 64;
  static constexpr unsigned most_dimensions = 5;
  static constexpr unsigned most_in_box = 256;  ///< elements of a dimension
  static constexpr unsigned most_pixels = 1024;
  static constexpr unsigned row_unit = 16;               ///< a row's bytes are a multiple of it
  static constexpr unsigned most_box_bytes = 228 << 10;  ///< shared memory of an SM

  /// In the order of CUtensorMapDataType.
  enum class Element : std::uint8_t {
    u8,
    u16,
    u32,
    s32,
    u64,
    s64,
    f16,
    f32,
    f64,
    bf16,
    f32_ftz,
    tf32,
    tf32_ftz,
  };
  static constexpr unsigned elements = 13;

  std::uint64_t address = 0;
  Element element = Element::u8;
  std::uint8_t rank = 1;
  std::uint8_t swizzle_bytes = 0;                        ///< 0: none, else 32, 64 or 128
  bool fills_with_nan = false;                           ///< outside of the tensor; else with zeros
  std::array<std::uint64_t, most_dimensions> dims{};     ///< elements
  std::array<std::uint64_t, most_dimensions> strides{};  ///< bytes; the first is an element's
  std::array<std::uint16_t, most_dimensions> box{};      ///< elements of the tensor that it spans
  std::array<std::uint8_t, most_dimensions> steps{};     ///< from one that is copied to the next

  /// For convolutions: instead of a box so many pixels, each with the channels of the first
  /// dimension, one after another within bounds of the dimensions between the first and the last.
  bool is_im2col = false;
  std::uint16_t pixels = 0;
  std::array<std::int16_t, 3> lower{};  ///< where the bounds begin
  std::array<std::int16_t, 3> upper{};  ///< where they end, from each dimension's end on

  /// For im2col: where the bounds end in a dimension between the first and the last.
  std::int64_t last_pixel(unsigned dimension) const {
    return static_cast<std::int64_t>(dims[dimension]) - 1 + upper[dimension - 1];
  }

  /// The map in 128 bytes.
  std::array<std::byte, bytes> packed() const;
  /// @return none where the bytes are not a map.
  static std::optional<TensorMap> unpacked(std::span<const std::byte, bytes> from);
};

/// How the rest of PTX names the element: b8, u16, f32, ...
isa::Type type_of(TensorMap::Element element);
inline unsigned size_bytes(TensorMap::Element element) { return isa::size_bytes(type_of(element)); }

}  // namespace warpwise::machine
