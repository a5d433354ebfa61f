#pragma once
#include <string>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// What is wrong with the forms of an instruction's operands, as its row declares them: registers
/// where results go, addresses in brackets, predicates apart from values. No compiler writes such
/// PTX, but a damaged image may hold it.
/// @return one phrase, "" where nothing is wrong.
std::string operand_problem(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace warpwise::code
