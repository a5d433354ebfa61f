#include "simulator/code/function_code.h"

namespace warpwise::code {

FunctionCode::FunctionCode(Program& program, const ptx::Function& text, std::uint32_t first,
                           std::uint32_t last)
    : program_(program), text_(text), blocks_(basic_blocks(text)), code_of_(text.body.size()) {
  for (std::uint32_t i = first; i < last; ++i)
    if (program.code[i].text < code_of_.size()) code_of_[program.code[i].text].push_back(i);
}

const std::vector<std::uint32_t>& FunctionCode::code_of(std::size_t place) const {
  static const std::vector<std::uint32_t> none;
  return place < code_of_.size() ? code_of_[place] : none;
}

const Access* FunctionCode::access_at(std::size_t place) const {
  for (const std::uint32_t index : code_of(place)) {
    const Op op = program_.code[index].op;
    if (op == Op::load || op == Op::store || op == Op::atomic)
      return &program_.accesses[program_.code[index].access];
  }
  return nullptr;
}

std::vector<FunctionCode> functions_of(Program& program) {
  std::vector<FunctionCode> functions;
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
