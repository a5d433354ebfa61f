#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace warpwise::image {

/// Size of every machine instruction from sm_70 on.
inline constexpr std::size_t kInstructionBytes = 16;

/// Low 9 bits: the operation. The next 3: the form of its operands (register, uniform register,
/// immediate), which does not matter everywhere.
inline constexpr unsigned kOperation = 0x1ff;
/// Operations below 0x100 are shared with arithmetic, except for their form.
inline constexpr unsigned kOperationAndForm = 0xfff;

/// The 128 bits of a machine instruction, and the fields that all instructions have in the same
/// place. NVIDIA does not publish it: see sass.cpp.
struct Word {
  std::uint64_t low = 0, high = 0;

  unsigned operation() const { return low & kOperation; }
  unsigned opcode() const { return low & kOperationAndForm; }
  /// Bits 12 to 15: predicate 7 is always true, the upper bit negates it.
  unsigned guard() const { return low >> 12 & 7; }
  bool is_guard_negated() const { return low >> 15 & 1; }
  bool always() const { return guard() == 7 && !is_guard_negated(); }
  bool never() const { return guard() == 7 && is_guard_negated(); }
};

/// @param at where the instruction begins in the code, in bytes; all of it is there.
inline Word word_at(std::span<const std::byte> code, std::size_t at) {
  Word word;
  std::memcpy(&word, &code[at], sizeof word);
  return word;
}

}  // namespace warpwise::image
