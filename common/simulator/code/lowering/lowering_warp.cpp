#include <algorithm>

#include "simulator/code/lowering/lowering.h"

/// Operations of the threads of a warp or block together: barriers, shuffles, votes.
namespace warpwise::code {

using isa::Type;

void Lowering::barrier() {
  const auto& operands = source_->operands;
  const isa::Variant& variant = source_->match.variant;
  std::string_view op = variant["op"];
  BarrierMode mode = variant.has("arrive") ? BarrierMode::arrive
                     : op == "popc"        ? BarrierMode::count
                     : op == "and"         ? BarrierMode::all
                     : op == "or"          ? BarrierMode::any
                                           : BarrierMode::sync;
  // A reduction has a destination before the number and the count, and a predicate after them.
  std::size_t first = op.empty() ? 0 : 1, last = operands.size() - (op.empty() ? 0 : 1);
  if (last <= first || last > first + 2) fail("expected the number of a barrier and a count");
  Slot id = source(operands[first], Type::u32);
  Slot count = last == first + 2 ? source(operands[first + 1], Type::u32) : no_slot;
  Slot vote = op.empty() ? no_slot : source(operands[last], Type::pred);
  Instruction& instruction = emit(Op::barrier);
  instruction.mode = static_cast<std::uint8_t>(mode);
  instruction.target = source_->match.syntax->mnemonic() == "bar" || variant.has("aligned");
  instruction.s[0] = id;
  instruction.s[1] = count;
  instruction.s[2] = vote;
  instruction.d_bytes = op == "popc" ? 4 : 0;
  if (!op.empty() && operands[0].id >= 0) instruction.d = registers_[operands[0].id];
}

void Lowering::shuffle() {
  const auto& operands = source_->operands;
  std::size_t at = source_->has_second ? 2 : 1;
  if (operands.size() != at + 4) fail("expected a value, a lane, a clamp and a mask");
  Slot s[4];
  for (std::size_t i = 0; i < 4; ++i) s[i] = source(operands[at + i], Type::b32);
  Instruction& instruction = emit(Op::shuffle);
  std::copy(s, s + 4, instruction.s);
  instruction.d_bytes = 4;
  instruction.d = operands[0].id >= 0 ? registers_[operands[0].id] : no_slot;
  if (source_->has_second && operands[1].id >= 0) instruction.d2 = registers_[operands[1].id];
  std::string_view mode = source_->match.variant["mode"];
  instruction.mode = static_cast<std::uint8_t>(mode == "up"     ? ShuffleMode::up
                                               : mode == "down" ? ShuffleMode::down
                                               : mode == "bfly" ? ShuffleMode::butterfly
                                                                : ShuffleMode::index);
}

void Lowering::vote() {
  Slot value = source(source_->operands.at(1), Type::pred);
  Slot mask = source(source_->operands.at(2), Type::u32);
  Instruction& instruction = emit(Op::vote);
  std::string_view mode = source_->match.variant["mode"];
  instruction.mode = static_cast<std::uint8_t>(mode == "all"   ? VoteMode::all
                                               : mode == "any" ? VoteMode::any
                                               : mode == "uni" ? VoteMode::uniform
                                                               : VoteMode::ballot);
  instruction.d = registers_[source_->operands[0].id];
  instruction.d_bytes = mode == "ballot" ? 4 : 0;
  instruction.s[0] = value;
  instruction.s[3] = mask;
}

}  // namespace warpwise::code
