#pragma once
#include <vector>

#include "simulator/code/program.h"
#include "simulator/ptx/module.h"

namespace warpwise::code {

/// The variable that holds a function's local arrays; null where it has none.
const ptx::Variable* stack_of(const ptx::Function& function);

/// Finds, for each register of a function, the local array that all addresses in it point into,
/// whatever number is added to the array's start: its place among the function's arrays. No bytes
/// where the register does not hold such an address, or where several arrays are possible.
///
/// The compiler puts all arrays of a function into one variable and makes the start of each by one
/// addition; the bytes between such a start and the next are taken for one array.
std::vector<Piece> local_origins(const ptx::Function& function);

}  // namespace warpwise::code
