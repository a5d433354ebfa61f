#include "simulator/isa/type.h"

#include <array>

namespace warpwise::isa {
namespace {

enum class Family : std::uint8_t { bits, integer_unsigned, integer_signed, floating };

struct Entry {
  Type type;
  std::string_view name;
  unsigned bytes;
  Family family;
};

using enum Family;
constexpr std::array entries = {
    Entry{Type::pred, "pred", 0, bits},
    Entry{Type::b8, "b8", 1, bits},
    Entry{Type::b16, "b16", 2, bits},
    Entry{Type::b32, "b32", 4, bits},
    Entry{Type::b64, "b64", 8, bits},
    Entry{Type::b128, "b128", 16, bits},
    Entry{Type::u8, "u8", 1, integer_unsigned},
    Entry{Type::u16, "u16", 2, integer_unsigned},
    Entry{Type::u32, "u32", 4, integer_unsigned},
    Entry{Type::u64, "u64", 8, integer_unsigned},
    Entry{Type::s8, "s8", 1, integer_signed},
    Entry{Type::s16, "s16", 2, integer_signed},
    Entry{Type::s32, "s32", 4, integer_signed},
    Entry{Type::s64, "s64", 8, integer_signed},
    Entry{Type::f16, "f16", 2, floating},
    Entry{Type::f16x2, "f16x2", 4, floating},
    Entry{Type::bf16, "bf16", 2, floating},
    Entry{Type::bf16x2, "bf16x2", 4, floating},
    Entry{Type::f32, "f32", 4, floating},
    Entry{Type::f64, "f64", 8, floating},
    Entry{Type::u16x2, "u16x2", 4, bits},
    Entry{Type::s16x2, "s16x2", 4, bits},
    Entry{Type::f32x2, "f32x2", 8, floating},
    Entry{Type::tf32, "tf32", 4, floating},
    Entry{Type::e4m3, "e4m3", 1, floating},
    Entry{Type::e5m2, "e5m2", 1, floating},
    Entry{Type::e4m3x2, "e4m3x2", 2, floating},
    Entry{Type::e5m2x2, "e5m2x2", 2, floating},
    Entry{Type::e2m3x2, "e2m3x2", 2, floating},
    Entry{Type::e3m2x2, "e3m2x2", 2, floating},
    Entry{Type::e2m1x2, "e2m1x2", 1, floating},
    Entry{Type::ue8m0x2, "ue8m0x2", 2, floating},
};

const Entry& entry(Type type) { return entries[static_cast<std::size_t>(type)]; }

}  // namespace

std::optional<Type> type_named(std::string_view word) {
  for (const Entry& candidate : entries)
    if (candidate.name == word) return candidate.type;
  return std::nullopt;
}

std::string_view name_of(Type type) { return entry(type).name; }
unsigned size_bytes(Type type) { return entry(type).bytes; }
bool is_signed(Type type) { return entry(type).family == integer_signed; }
bool is_float(Type type) { return entry(type).family == floating; }

}  // namespace warpwise::isa
