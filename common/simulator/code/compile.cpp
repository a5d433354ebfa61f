#include "simulator/code/compile.h"

#include <map>

#include "simulator/code/confirm.h"
#include "simulator/code/liveness.h"
#include "simulator/code/lowering.h"
#include "simulator/code/order.h"
#include "simulator/code/places.h"

namespace warpwise::code {
namespace {

/// Branches name instructions of the text; the program wants indices of its own code.
void link_branches(Program& program, const std::map<std::size_t, std::uint32_t>& entry_of_text) {
  for (Instruction& instruction : program.code)
    if (instruction.op == Op::branch) instruction.target = entry_of_text.at(instruction.target);
}

}  // namespace

std::shared_ptr<const Program> compile(const ptx::Module& module, const ptx::Function& kernel,
                                       const Resolve& resolve, const image::KernelFacts* facts) {
  auto program = std::make_shared<Program>();
  program->name = kernel.name;
  program->places = places_of(module, kernel);
  Lowering lowering(module, kernel, resolve, *program);

  std::vector<BasicBlock> blocks = basic_blocks(kernel);
  lowering.undefined_at_start(live_at_start(kernel, blocks));
  std::vector<std::size_t> order = execution_order(blocks);
  std::map<std::size_t, std::uint32_t> entry_of_text;
  for (std::size_t position = 0; position < order.size(); ++position) {
    const BasicBlock& block = blocks[order[position]];
    entry_of_text[block.first] = static_cast<std::uint32_t>(program->code.size());
    lowering.enter(static_cast<std::uint32_t>(position));
    for (std::size_t i = block.first; i < block.last; ++i) lowering.instruction(kernel.body[i]);
    program->block_sizes.push_back(static_cast<std::uint32_t>(block.last - block.first));
    if (block.first == block.last && block.successors.empty()) {
      program->code.push_back({});  // the text ends here: an implicit return
      program->code.back().op = Op::exit;
      continue;
    }
    bool follows = !block.successors.empty() && block.successors.front() == order[position] + 1;
    bool next_in_order = position + 1 < order.size() && order[position + 1] == order[position] + 1;
    if (follows && !next_in_order) {
      Instruction jump;
      jump.op = Op::branch;
      jump.target = static_cast<std::uint32_t>(blocks[block.successors.front()].first);
      jump.place = static_cast<std::uint32_t>(program->places.size() - 1);
      program->code.push_back(jump);
    }
  }
  link_branches(*program, entry_of_text);
  if (facts) confirm_accesses(*program, *facts);
  return program;
}

}  // namespace warpwise::code
