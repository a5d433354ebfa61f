#include "simulator/image/sass.h"

#include <array>

#include "simulator/image/word.h"

// NVIDIA does not publish these encodings. They were deduced by compiling one known access at a
// time for sm_75 to sm_120 and reading the bytes; sass_test.cpp repeats that.

namespace warpwise::image {
namespace {

using Space = MemoryInstruction::Space;
using Access = MemoryInstruction::Access;

/// How an instruction says how many bytes it accesses.
enum class Width { plain, integer_atomic, float_atomic, async, row, vector_32, elsewhere };

struct Row {
  unsigned opcode;
  unsigned mask;
  const char* mnemonic;
  Space space;
  Access access;
  Width width;
};

constexpr std::array kRows = {
    Row{0x17e, kOperation, "LDG", Space::global, Access::load, Width::vector_32},
    Row{0x17f, kOperation, "STG", Space::global, Access::store, Width::vector_32},
    Row{0x180, kOperation, "LD", Space::generic, Access::load, Width::plain},
    Row{0x181, kOperation, "LDG", Space::global, Access::load, Width::plain},
    Row{0x182, kOperation, "LDC", Space::constant, Access::load, Width::plain},
    Row{0x183, kOperation, "LDL", Space::local, Access::load, Width::plain},
    Row{0x184, kOperation, "LDS", Space::shared, Access::load, Width::plain},
    Row{0x185, kOperation, "ST", Space::generic, Access::store, Width::plain},
    Row{0x186, kOperation, "STG", Space::global, Access::store, Width::plain},
    Row{0x187, kOperation, "STL", Space::local, Access::store, Width::plain},
    Row{0x188, kOperation, "STS", Space::shared, Access::store, Width::plain},
    Row{0x18a, kOperation, "ATOM", Space::generic, Access::atomic, Width::integer_atomic},
    Row{0x18b, kOperation, "ATOM", Space::generic, Access::atomic, Width::integer_atomic},
    Row{0x18c, kOperation, "ATOMS", Space::shared, Access::atomic, Width::integer_atomic},
    Row{0x18d, kOperation, "ATOMS", Space::shared, Access::atomic, Width::integer_atomic},
    Row{0x18e, kOperation, "RED", Space::global, Access::reduction, Width::integer_atomic},
    Row{0x1a2, kOperation, "ATOM", Space::generic, Access::atomic, Width::float_atomic},
    Row{0x1a3, kOperation, "ATOMG", Space::global, Access::atomic, Width::float_atomic},
    Row{0x1a5, kOperation, "LDGMC", Space::global, Access::load, Width::float_atomic},
    Row{0x1a6, kOperation, "REDG", Space::global, Access::reduction, Width::float_atomic},
    Row{0x1a8, kOperation, "ATOMG", Space::global, Access::atomic, Width::integer_atomic},
    Row{0x1a9, kOperation, "ATOMG", Space::global, Access::atomic, Width::integer_atomic},
    Row{0x1ae, kOperation, "LDGSTS", Space::shared, Access::async_copy, Width::async},
    Row{0x1b4, kOperation, "UTMALDG", Space::shared, Access::async_copy, Width::elsewhere},
    Row{0x1b5, kOperation, "UTMASTG", Space::shared, Access::async_copy, Width::elsewhere},
    Row{0x1b6, kOperation, "UTMAREDG", Space::shared, Access::async_copy, Width::elsewhere},
    Row{0x1ba, kOperation, "UBLKCP", Space::shared, Access::async_copy, Width::elsewhere},
    Row{0x1bb, kOperation, "UBLKRED", Space::shared, Access::async_copy, Width::elsewhere},
    Row{0x1bd, kOperation, "STAS", Space::shared, Access::store, Width::plain},
    Row{0x1be, kOperation, "REDAS", Space::shared, Access::reduction, Width::integer_atomic},
    Row{0x83b, kOperationAndForm, "LDSM", Space::shared, Access::matrix_load, Width::row},
    Row{0x844, kOperationAndForm, "STSM", Space::shared, Access::matrix_store, Width::row},
    Row{0xab9, kOperationAndForm, "ULDC", Space::constant, Access::load, Width::plain},
    Row{0xabb, kOperationAndForm, "ULDC", Space::constant, Access::load, Width::plain},
    Row{0x7ac, kOperationAndForm, "LDCU", Space::constant, Access::load, Width::plain},
};

/// `count` bits from bit 73 on, where memory instructions keep their type.
unsigned type_of(Word word, unsigned count) { return word.high >> 9 & ((1u << count) - 1); }

unsigned plain_width(Word word) {
  // 8 bits unsigned and signed, 16 bits unsigned and signed, 32, 64, 128.
  constexpr unsigned bytes[] = {1, 1, 2, 2, 4, 8, 16, 0};
  return bytes[type_of(word, 3)];
}

unsigned integer_atomic_width(Word word, unsigned architecture) {
  // Before sm_90: u32, s32, u64, f32, f16x2, s64, f64. Since: u32, s32, u64, s64, b128.
  constexpr unsigned before[] = {4, 4, 8, 4, 4, 8, 8, 0};
  constexpr unsigned since[] = {4, 4, 8, 8, 16, 0, 0, 0};
  return architecture < 90 ? before[type_of(word, 3)] : since[type_of(word, 3)];
}

unsigned float_atomic_width(Word word) {
  // f16 and bf16 by 2, 4 and 8; f32 by 1, 2 and 4 with subnormals flushed; without; f64.
  constexpr unsigned bytes[] = {4, 8, 16, 4, 8, 16, 0, 0, 0, 4, 8, 16, 4, 8, 16, 8};
  return bytes[type_of(word, 4)];
}

unsigned async_width(Word word, unsigned architecture) {
  if (architecture < 100) return plain_width(word);
  constexpr unsigned bytes[] = {4, 0, 8, 0, 16, 0, 0, 0};
  return bytes[type_of(word, 3)];
}

unsigned width_of(const Row& row, Word word, unsigned architecture) {
  switch (row.width) {
    case Width::plain:
      return plain_width(word);
    case Width::integer_atomic:
      return integer_atomic_width(word, architecture);
    case Width::float_atomic:
      return float_atomic_width(word);
    case Width::async:
      return async_width(word, architecture);
    case Width::row:
      return 16;
    case Width::vector_32:
      return 32;
    case Width::elsewhere:
      return 0;
  }
  return 0;
}

}  // namespace

std::optional<MemoryOperation> decode_memory_operation(
    std::span<const std::byte, kInstructionBytes> instruction, unsigned architecture) {
  const Word word = word_at(instruction, 0);
  // ptxas pads some code with accesses that are switched off.
  if (word.never()) return std::nullopt;
  for (const Row& row : kRows) {
    if ((word.opcode() & row.mask) != row.opcode) continue;
    return MemoryOperation{row.mnemonic, row.space, row.access, width_of(row, word, architecture),
                           !word.always()};
  }
  return std::nullopt;
}

bool yields_and_calls(std::span<const std::byte> code) {
  constexpr unsigned kYield = 0x946, kCall = 0x944;
  bool yields = false, calls = false;
  for (std::size_t at = 0; at + kInstructionBytes <= code.size(); at += kInstructionBytes) {
    const Word word = word_at(code, at);
    yields |= word.opcode() == kYield;
    calls |= word.opcode() == kCall;
  }
  return yields && calls;
}

std::uint32_t stack_frame_bytes(std::span<const std::byte> code) {
  // IADD3 and VIADD with an immediate; LOP3 with one.
  constexpr unsigned kAdds[] = {0x810, 0x836}, kLogic = 0x812, kStackPointer = 1;
  std::uint32_t frame = 0;
  for (std::size_t at = 0; at + kInstructionBytes <= code.size(); at += kInstructionBytes) {
    const std::uint64_t low = word_at(code, at).low;
    const auto immediate = static_cast<std::uint32_t>(low >> 32);
    const unsigned opcode = low & kOperationAndForm;
    if ((low >> 16 & 0xff) != kStackPointer || (low >> 24 & 0xff) != kStackPointer) continue;
    if (frame == 0 && (opcode == kAdds[0] || opcode == kAdds[1]) && immediate >> 31)
      frame = 0 - immediate;
    else if (frame != 0)
      return opcode == kLogic ? (frame + ~immediate) & immediate : frame;
  }
  return frame;
}

}  // namespace warpwise::image
