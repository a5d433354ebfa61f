#include "simulator/code/values/values_everywhere.h"

#include <algorithm>

#include "simulator/code/flow/liveness.h"

namespace warpwise::code {

using ptx::Operand;

ValuesEverywhere::ValuesEverywhere(const ptx::Function& function,
                                   const std::vector<BasicBlock>& blocks)
    : function_(function), blocks_(blocks), sources_(function.registers.size()) {
  for (std::size_t i = 0; i < function.body.size(); ++i)
    visit_registers(function.body[i], [&](int id, bool is_written) {
      if (!is_written) return;
      std::vector<std::size_t>& sources = sources_[static_cast<std::size_t>(id)];
      sources.push_back(i);
      // The old value stays where the guard is false: it is a second source.
      if (function.body[i].guard >= 0) sources.push_back(i);
    });
}

bool ValuesEverywhere::is_constant(const Operand& operand) const {
  if (operand.kind == Operand::Kind::f32 || operand.kind == Operand::Kind::f64 ||
      operand.kind == Operand::Kind::integer)
    return true;
  if (operand.kind != Operand::Kind::reg || !has_one_source(operand.id)) return false;
  const ptx::Instruction& source =
      function_.body[sources_[static_cast<std::size_t>(operand.id)].front()];
  if (source.operands.size() != 2 || source.operands[0].kind != Operand::Kind::reg) return false;
  const Operand& from = source.operands[1];
  if (source.match.syntax->mnemonic() == "mov")
    return from.kind != Operand::Kind::reg && is_constant(from);
  const bool is_fixed = from.kind == Operand::Kind::address && from.id < 0 && from.elements.empty();
  return source.match.syntax->mnemonic() == "ld" && is_fixed &&
         (source.match.variant.has("const") ||
          (source.match.variant.has("param") && function_.is_kernel));
}

std::size_t ValuesEverywhere::block_of(std::size_t index) const {
  const auto behind =
      std::upper_bound(blocks_.begin(), blocks_.end(), index,
                       [](std::size_t at, const BasicBlock& block) { return at < block.last; });
  return static_cast<std::size_t>(behind - blocks_.begin());
}

std::vector<bool> ValuesEverywhere::entered(std::size_t start, std::size_t stop) const {
  std::vector<bool> result(blocks_.size());
  std::vector<std::size_t> open;
  const auto leave = [&](std::size_t block) {
    for (std::size_t next : blocks_[block].successors)
      if (!result[next]) result[next] = true, open.push_back(next);
  };
  const std::size_t first = block_of(start), last = block_of(stop);
  if (first != last || stop <= start) leave(first);
  while (!open.empty()) {
    const std::size_t block = open.back();
    open.pop_back();
    if (block != last) leave(block);
  }
  return result;
}

bool ValuesEverywhere::reaches(std::size_t start, std::size_t stop, std::size_t end) const {
  const std::size_t block = block_of(end);
  const bool stop_before = block == block_of(stop) && stop < end;
  if (block == block_of(start) && start < end && !(stop_before && start < stop)) return true;
  return !stop_before && entered(start, stop)[block];
}

bool ValuesEverywhere::stays(int id, std::size_t made, std::size_t use) const {
  const std::vector<std::size_t>& sources = sources_[static_cast<std::size_t>(id)];
  return sources.size() == 1 ||
         std::none_of(sources.begin(), sources.end(), [&](std::size_t source) {
           return reaches(made, made, source) && reaches(source, made, use);
         });
}

}  // namespace warpwise::code
