#pragma once
#include "simulator/code/program.h"
#include "simulator/ptx/module.h"

namespace warpwise::code {

/// When the result of this instruction, a pure function, is undefined.
Definedness definedness_of(const ptx::Instruction& instruction);

}  // namespace warpwise::code
