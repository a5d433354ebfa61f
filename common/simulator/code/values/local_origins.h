#pragma once
#include <vector>

#include "simulator/code/program.h"
#include "simulator/ptx/module.h"

namespace warpwise::code {

/// The variable that holds a function's local arrays; null where it has none.
const ptx::Variable* stack_of(const ptx::Function& function);

/// For each register of a function the local array into which all addresses that it holds point,
/// whatever the number added to the array's start: where it lies among the function's arrays. No
/// bytes where the register holds no such address, or where several arrays are possible.
///
/// The compiler puts all arrays of a function into one variable and makes the start of each by one
/// addition; what lies between such a start and the next is taken for one array.
std::vector<Piece> local_origins(const ptx::Function& function);

}  // namespace warpwise::code
