#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simulator/isa/syntax.h"

namespace warpwise::conformance {

/// One way to write an instruction: an opcode with all its modifiers, and what else is fixed in the
/// text of an instruction.
struct Variant {
  std::string opcode;                     ///< "add.rn.ftz.f32"
  std::vector<std::uint32_t> immediates;  ///< for operands that must be constants, in order
  bool optional_operands = false;         ///< written with those operands that may be left out
  std::vector<std::string> selectors;     ///< "b0": a part of an operand; empty for whole ones
  isa::Match match;

  /// Names the variant in records: the opcode, and what is also fixed.
  std::string key() const;
  /// The operands that this variant has.
  std::vector<isa::OperandSpec> operands() const;
  /// The instruction as PTX, with the texts of `written` for the operands that are not constants.
  std::string text(const std::function<std::string(const isa::OperandSpec&)>& written) const;
};

/// True for an operand that PTX wants as a constant ("immLut").
bool is_immediate(const isa::OperandSpec& operand);

/// Says whether a variant is left out, by its key.
using LeftOut = std::function<bool(const std::string& key)>;

/// The variants of a row that its selector supports: all of them, or, where they are more than
/// 1,500 or have selectors, enough that each two choices of two modifiers occur together in one.
/// None for rows that are not pure functions of lanes and for rows of our own ("_extract").
std::vector<Variant> variants_of(const isa::Row& row, const LeftOut& left_out);

/// The variants of all rows, in the order of the rows; each opcode once.
std::vector<Variant> all_variants(const LeftOut& left_out);

/// The variant that a key names; nothing where the rows have no such instruction any more.
std::optional<Variant> variant_of_key(const std::string& key);

}  // namespace warpwise::conformance
