#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpwise::isa {

/// The types of PTX. A register holds 32 lanes of one of the sizes 2, 4, 8 or 16 bytes side by
/// side; a predicate register is one 32-bit mask, a bit a lane.
enum class Type : std::uint8_t {
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
  // Several values packed into one register.
  u16x2,
  s16x2,
  f32x2,
  // Types of conversions and matrix instructions only; registers hold their bits.
  tf32,
  e4m3,
  e5m2,
  e4m3x2,
  e5m2x2,
  e2m3x2,
  e3m2x2,
  e2m1x2,
  ue8m0x2,
};

/// @param word without its dot: "f32".
std::optional<Type> type_named(std::string_view word);
std::string_view name_of(Type type);

/// Bytes of one lane's value in memory; 0 for a predicate.
unsigned size_bytes(Type type);
bool is_signed(Type type);
bool is_float(Type type);

}  // namespace warpwise::isa
