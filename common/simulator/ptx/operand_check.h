#pragma once
#include <string>

#include "simulator/ptx/module.h"

namespace warpwise::ptx {

/// What is wrong with the forms of an instruction's operands, as its row declares them: registers
/// where results go, addresses in brackets, predicates separate from values. No compiler writes
/// such PTX, but a damaged image may hold it. Of calls and branches, whose operands are names and
/// lists, nothing is said.
/// @return one phrase, "" where nothing is wrong.
std::string operand_problem(const Function& function, const Instruction& instruction);

}  // namespace warpwise::ptx
