#include "simulator/code/values/definedness.h"

namespace warpwise::code {
namespace {

using isa::Type;

/// A shift by whole bytes splits or joins values; other distances compute.
bool shifts_bytes(const ptx::Operand& distance) {
  return distance.kind != ptx::Operand::Kind::integer || distance.value % 8 == 0;
}

}  // namespace

// The third operand of setp.and, and both of and.pred, can decide alone.
Definedness definedness_of(const ptx::Instruction& instruction) {
  const isa::Match& match = instruction.match;
  if (match.syntax->mnemonic() == "selp") return Definedness::select;
  const std::string_view mnemonic = match.syntax->mnemonic();
  const bool is_float =
      isa::is_float(match.variant.last_type()) || isa::is_float(match.variant.type());
  if (mnemonic == "shl" || mnemonic == "shr")
    return shifts_bytes(instruction.operands.back()) ? Definedness::copy : Definedness::any_source;
  if (mnemonic == "mov" || (mnemonic == "cvt" && !is_float)) return Definedness::copy;
  if ((mnemonic == "or" && match.variant.last_type() != Type::pred) || mnemonic == "prmt" ||
      mnemonic == "bfi" || mnemonic == "shf")
    return Definedness::pack;
  bool on_masks = match.syntax->mnemonic() == "setp" || match.variant.last_type() == Type::pred;
  std::string_view op = match.syntax->mnemonic() == "setp"
                            ? match.variant["bool"]
                            : std::string_view(match.syntax->mnemonic());
  if (on_masks && op == "and") return Definedness::conjunction;
  if (on_masks && op == "or") return Definedness::disjunction;
  return Definedness::any_source;
}

}  // namespace warpwise::code
