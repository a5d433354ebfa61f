#include "simulator/isa/type.h"

#include <array>

namespace warpwise::isa {
namespace {

struct Entry {
  Type type;
  std::string_view name;
  unsigned bytes;
};

constexpr std::array entries = {
    Entry{Type::pred, "pred", 0},   Entry{Type::b8, "b8", 1},     Entry{Type::b16, "b16", 2},
    Entry{Type::b32, "b32", 4},     Entry{Type::b64, "b64", 8},   Entry{Type::b128, "b128", 16},
    Entry{Type::u8, "u8", 1},       Entry{Type::u16, "u16", 2},   Entry{Type::u32, "u32", 4},
    Entry{Type::u64, "u64", 8},     Entry{Type::s8, "s8", 1},     Entry{Type::s16, "s16", 2},
    Entry{Type::s32, "s32", 4},     Entry{Type::s64, "s64", 8},   Entry{Type::f16, "f16", 2},
    Entry{Type::f16x2, "f16x2", 4}, Entry{Type::bf16, "bf16", 2}, Entry{Type::bf16x2, "bf16x2", 4},
    Entry{Type::f32, "f32", 4},     Entry{Type::f64, "f64", 8},
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
bool is_signed(Type type) { return name_of(type)[0] == 's'; }
bool is_float(Type type) { return name_of(type)[0] == 'f' || type >= Type::bf16; }

}  // namespace warpwise::isa
