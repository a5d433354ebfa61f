#include "simulator/code/function_code.h"

namespace warpwise::code {

FunctionCode::FunctionCode(Program& program, const ptx::Function& text, std::uint32_t first,
                           std::uint32_t last)
    : program_(program),
      text_(text),
      blocks_(basic_blocks(text)),
      passed_(text, blocks_),
      heads_(loop_heads(blocks_)),
      code_of_(text.body.size()) {
  for (std::uint32_t i = first; i < last; ++i)
    if (program.code[i].text < code_of_.size()) code_of_[program.code[i].text].push_back(i);
}

const std::vector<std::uint32_t>& FunctionCode::code_of(std::size_t place) const {
  static const std::vector<std::uint32_t> none;
  return place < code_of_.size() ? code_of_[place] : none;
}

std::vector<std::size_t> FunctionCode::sides_of(std::size_t branch) const {
  std::vector<std::size_t> sides = {branch};
  std::vector<bool> seen(blocks_.size());
  bool begins_anew = false;
  for (std::size_t i = 0; i < sides.size(); ++i)
    for (const std::size_t to : blocks_[sides[i]].successors) {
      begins_anew |= to == branch;
      if (to == branch || seen[to] || passed_.is_passed(branch, to)) continue;
      seen[to] = true;
      sides.push_back(to);
    }
  if (!begins_anew) sides.erase(sides.begin());
  return sides;
}

const Access* FunctionCode::access_at(std::size_t place) const {
  for (const std::uint32_t index : code_of(place)) {
    const Op op = program_.code[index].op;
    if (op == Op::load || op == Op::store || op == Op::atomic)
      return &program_.accesses[program_.code[index].access];
  }
  return nullptr;
}

Functions functions_of(Program& program) {
  Functions functions;
  const auto add = [&](const ptx::Function* text, std::uint32_t first, std::size_t next) {
    const auto last = next < program.functions.size()
                          ? program.functions[next].entry
                          : static_cast<std::uint32_t>(program.code.size());
    if (text) functions.emplace_back(program, *text, first, last);
  };
  add(program.text, 0, 0);
  for (std::size_t i = 0; i < program.functions.size(); ++i)
    add(program.functions[i].text, program.functions[i].entry, i + 1);
  return functions;
}

}  // namespace warpwise::code
