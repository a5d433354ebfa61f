#include "simulator/code/compile.h"

#include <algorithm>
#include <map>
#include <optional>

#include "simulator/code/callees.h"
#include "simulator/code/confirm/confirm.h"
#include "simulator/code/confirm/uncertain_counts.h"
#include "simulator/code/flow/arrival_order.h"
#include "simulator/code/flow/branch_sides.h"
#include "simulator/code/flow/order.h"
#include "simulator/code/flow/places.h"
#include "simulator/code/lowering/constant_folding.h"
#include "simulator/code/lowering/contraction.h"
#include "simulator/code/lowering/jump_tables.h"
#include "simulator/code/lowering/lowering.h"

namespace warpwise::code {
namespace {

/// Branches name instructions of the text; the program needs indices of its own code.
void link_branches(Program& program, std::size_t first,
                   const std::map<std::size_t, std::uint32_t>& entry_of_text) {
  for (std::size_t i = first; i < program.code.size(); ++i) {
    Instruction& instruction = program.code[i];
    if (instruction.op == Op::branch) instruction.target = entry_of_text.at(instruction.target);
  }
}

/// Where each basic block of a function begins in the program, and where its final branch is.
struct CodePlaces {
  std::map<std::size_t, std::uint32_t> entry_of_text;
  std::map<std::size_t, std::uint32_t> branch_of_block;
  std::vector<std::uint32_t> entries;  ///< by position in the execution order; the last is the end
};

/// Gives each branch of a function its sides.
/// @param order execution_order() of its blocks.
void part_ways(Program& program, const ptx::Function& function,
               const std::vector<BasicBlock>& blocks, const std::vector<std::size_t>& order,
               const CodePlaces& places) {
  const BranchSides all(blocks, order);
  const std::vector<bool> tables =
      program.is_debug ? std::vector<bool>(blocks.size()) : parts_of_tables(function, blocks);
  BranchSides::Sides sides;
  for (const auto& [block, branch] : places.branch_of_block) {
    if (!all.find(block, sides)) continue;
    Parting parting;
    parting.is_table = tables[block];
    const std::uint32_t end = places.entries[all.position(block) + 1];
    if (branch + 1 < end) parting.sides[0].push_back({branch + 1, end});  // a jump to what follows
    for (unsigned side : {0u, 1u})
      for (const std::size_t own : sides[side]) {
        const std::uint32_t first = places.entries[all.position(own)],
                            last = places.entries[all.position(own) + 1];
        std::vector<Stretch>& stretches = parting.sides[side];
        if (!stretches.empty() && stretches.back().last == first)
          stretches.back().last = last;
        else
          stretches.push_back({first, last});
      }
    program.partings.push_back(std::move(parting));
    program.code[branch].access = static_cast<std::uint32_t>(program.partings.size());
  }
}

/// How many instructions of a block the text has.
std::uint32_t instructions_of(const ptx::Function& function, const BasicBlock& block) {
  const auto first = function.body.begin();
  return static_cast<std::uint32_t>(
      std::count_if(first + static_cast<std::ptrdiff_t>(block.first),
                    first + static_cast<std::ptrdiff_t>(block.last),
                    [](const ptx::Instruction& instruction) { return !instruction.is_implied; }));
}

/// Appends one function, whose sizes go to `frame`.
Layout append(Unit& unit, const ptx::Function& source, FrameLayout& frame) {
  if (!source.unsupported.empty()) throw ptx::ParseError(source.unsupported);
  Program& program = unit.program;
  std::size_t first = program.code.size();
  auto first_block = static_cast<std::uint32_t>(program.block_sizes.size());
  auto first_place = static_cast<std::uint32_t>(program.places.size());
  for (Place& place : places_of(unit.module, source, unit.library))
    program.places.push_back(std::move(place));
  std::vector<BasicBlock> blocks = basic_blocks(source);
  const std::optional<ptx::Function> folded =
      program.is_debug ? std::nullopt : fold_constants(source);
  const ptx::Function& plain = folded ? *folded : source;
  const auto live = live_at_starts(plain, blocks);
  const std::optional<ptx::Function> contracted = contract(plain, blocks, live);
  const ptx::Function& function = contracted ? *contracted : plain;
  Lowering lowering(unit, function, frame, first_place);
  lowering.undefined_at_start(live);
  std::vector<std::size_t> order = execution_order(blocks);
  CodePlaces at;
  for (std::size_t position = 0; position < order.size(); ++position) {
    const BasicBlock& block = blocks[order[position]];
    at.entries.push_back(static_cast<std::uint32_t>(program.code.size()));
    at.entry_of_text[block.first] = at.entries.back();
    lowering.enter(first_block + static_cast<std::uint32_t>(position));
    for (std::size_t i = block.first; i < block.last; ++i) lowering.instruction(function.body[i]);
    if (block.successors.size() == 2 && program.code.back().op == Op::branch)
      at.branch_of_block[order[position]] = static_cast<std::uint32_t>(program.code.size() - 1);
    program.block_sizes.push_back(instructions_of(function, block));
    if (block.first == block.last && block.successors.empty()) {
      program.code.push_back({});  // the text ends here: an implicit return
      program.code.back().op = function.is_kernel ? Op::exit : Op::ret;
      continue;
    }
    bool follows = !block.successors.empty() && block.successors.front() == order[position] + 1;
    bool next_in_order = position + 1 < order.size() && order[position + 1] == order[position] + 1;
    if (follows && !next_in_order) {
      Instruction jump;
      jump.op = Op::branch;
      jump.target = static_cast<std::uint32_t>(blocks[block.successors.front()].first);
      jump.place = static_cast<std::uint32_t>(program.places.size() - 1);
      program.code.push_back(jump);
    }
  }
  at.entries.push_back(static_cast<std::uint32_t>(program.code.size()));
  link_branches(program, first, at.entry_of_text);
  part_ways(program, function, blocks, order, at);
  frame.text = &source;
  frame.text_registers = lowering.registers();
  return lowering.layout();
}

void append_callee(Unit& unit, const ptx::Function& source, Function& function) {
  Layout layout = append(unit, source, function);
  for (const ptx::Parameter& parameter : source.parameters)
    function.parameters.push_back(layout.passed.at(parameter.name));
  for (const ptx::Parameter& result : source.results)
    function.results.push_back(layout.passed.at(result.name));
}

/// A function that only a pointer could reach may fail to translate: only a call of it is then an
/// error.
void append_by_address(Unit& unit, const ptx::Function& source, Function& function) {
  Program& program = unit.program;
  std::size_t code = program.code.size(), accesses = program.accesses.size(),
              sites = program.sites.size(), blocks = program.block_sizes.size();
  try {
    append_callee(unit, source, function);
  } catch (const ptx::ParseError& error) {
    function.unavailable = error.what();
    program.code.resize(code);
    program.accesses.resize(accesses);
    program.sites.resize(sites);
    program.block_sizes.resize(blocks);
  }
}

}  // namespace

std::shared_ptr<const Program> compile(const ptx::Module& module, const ptx::Function& kernel,
                                       const Resolve& resolve, const image::KernelFacts* facts) {
  auto program = std::make_shared<Program>();
  program->name = kernel.name;
  program->is_debug = module.is_debug;
  std::vector<Callee> callees = callees_of(module, kernel);
  SharedLayout shared = lay_out_shared(module, kernel, callees, *program);
  Unit unit{module,
            resolve,
            *program,
            shared,
            array_indices(shared, *program),
            {},
            {},
            atomic_parameters(callees)};
  program->functions.resize(callees.size());
  if (facts) {
    program->frame_bytes = facts->local_bytes;
    program->known_stack_bytes = facts->stack_bytes.value_or(0);
  }
  for (std::uint32_t i = 0; i < callees.size(); ++i) {
    const std::string& name = callees[i].function->name;
    program->functions[i].name = name;
    if (facts)
      if (auto frame = facts->frame_bytes.find(name); frame != facts->frame_bytes.end())
        program->functions[i].compiled_stack_bytes = frame->second;
    program->function_addresses[function_address(module, name).value()] = i;
    unit.functions[name] = i;
  }
  append(unit, kernel, *program);
  for (std::uint32_t i = 0; i < callees.size(); ++i) {
    Function& function = program->functions[i];
    function.entry = static_cast<std::uint32_t>(program->code.size());
    if (callees[i].by_name)
      append_callee(unit, *callees[i].function, function);
    else
      append_by_address(unit, *callees[i].function, function);
  }
  // Nsight Compute adds what the runtime does on the device, and the kernels that were launched.
  if (!program->runtime_calls.empty()) {
    // It does so even if no call is made: the code after the last instruction waits for children.
    program->has_unseen[false][false] = program->has_unseen[false][true] = true;
  } else if (facts) {
    program->yields_and_calls = facts->yields_and_calls;
    const Functions functions = functions_of(*program);
    confirm_accesses(*program, functions, *facts);
    for (Site& fence : program->system_fences) fence.is_confirmed = true;
    find_uncertain_counts(*program, functions);
    find_arrival_order(*program, functions);
  }
  return program;
}

}  // namespace warpwise::code
