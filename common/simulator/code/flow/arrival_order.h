#pragma once
#include "simulator/code/function_code.h"

namespace warpwise::code {

/// Finds the accesses that carry the arrival order of threads from one launch into the counts of
/// another. Some leave values in memory by that order, such as a queue whose places an atomic gives
/// (Site::leaves_order). Others load values that decide about further accesses (Site::decides).
/// @param functions functions_of() the program
void find_arrival_order(Program& program, const Functions& functions);

/// True where the result of a load or an atomic decides a branch or an address: once threads race
/// for it, the counts depend on which thread comes first.
bool follows_memory(const Program& program);

}  // namespace warpwise::code
