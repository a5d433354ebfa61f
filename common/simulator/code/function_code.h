#pragma once
#include <vector>

#include "simulator/code/flow/order.h"
#include "simulator/code/flow/post_dominators.h"
#include "simulator/code/program.h"

namespace warpwise::code {

/// The text of one function of a program, its basic blocks and how they follow one another, and the
/// code made of its instructions.
class FunctionCode {
 public:
  /// @param first,last the range of its code in the program: [first, last).
  FunctionCode(Program& program, const ptx::Function& text, std::uint32_t first,
               std::uint32_t last);

  Program& program() const { return program_; }
  const ptx::Function& text() const { return text_; }
  const ptx::Instruction& at(std::size_t place) const { return text_.body[place]; }
  std::size_t size() const { return text_.body.size(); }
  const std::vector<BasicBlock>& blocks() const { return blocks_; }
  const PostDominators& passed() const { return passed_; }
  /// Of each block the heads of the loops around it.
  const std::vector<std::set<std::size_t>>& heads() const { return heads_; }

  /// The blocks that a branch decides about: those that run on one of its ways, up to where all
  /// ways meet; in a loop whose next iteration it may start, also its own block.
  /// @param branch the block that it ends
  std::vector<std::size_t> sides_of(std::size_t branch) const;

  /// Indices into Program::code of the code made of an instruction of the text.
  const std::vector<std::uint32_t>& code_of(std::size_t place) const;
  /// The memory access of a load, a store or an atomic of the text; null for other instructions.
  const Access* access_at(std::size_t place) const;
  /// Calls visit(site) for the accesses of an instruction that are counted.
  template <class Visit>
  void visit_sites(std::size_t place, Visit visit) const {
    for (const std::uint32_t index : code_of(place)) visit_sites_of(program_.code[index], visit);
  }
  /// Likewise, and for a fence that is counted like an access.
  template <class Visit>
  void visit_counted(std::size_t place, Visit visit) const {
    visit_sites(place, visit);
    for (const std::uint32_t index : code_of(place))
      if (const Instruction& instruction = program_.code[index];
          instruction.op == Op::fence && instruction.access)
        visit(program_.system_fences[instruction.access - 1]);
  }

 private:
  template <class Visit>
  void visit_sites_of(const Instruction& instruction, Visit& visit) const {
    const auto visit_access = [&](std::uint32_t access) {
      if (program_.accesses[access].space != Space::frame)
        visit(program_.sites[program_.accesses[access].site]);
    };
    if (instruction.op == Op::load || instruction.op == Op::store || instruction.op == Op::atomic) {
      visit_access(instruction.access);
    } else if (instruction.op == Op::operation) {
      const Operation& operation = program_.operations[instruction.access];
      for (const std::uint32_t access : {operation.from, operation.to})
        if (access != Operation::no_access) visit_access(access);
    }
  }

  Program& program_;
  const ptx::Function& text_;
  std::vector<BasicBlock> blocks_;
  PostDominators passed_;
  std::vector<std::set<std::size_t>> heads_;
  std::vector<std::vector<std::uint32_t>> code_of_;  ///< of each instruction of the text
};

/// The functions of a program that have a text, the kernel first.
using Functions = std::vector<FunctionCode>;
Functions functions_of(Program& program);

}  // namespace warpwise::code
