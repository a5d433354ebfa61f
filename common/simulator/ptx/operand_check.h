#pragma once
#include <string>

#include "simulator/ptx/module.h"

namespace warpwise::ptx {

/// Finds what is wrong with the forms of an instruction's operands, as its row declares them:
/// registers where results go, addresses in brackets, predicates separate from values. No compiler
/// writes such PTX, but a damaged image may hold it. Calls and branches, whose operands are names
/// and lists, are not checked.
/// @return one phrase, "" where all forms are right.
std::string operand_problem(const Function& function, const Instruction& instruction);

}  // namespace warpwise::ptx
