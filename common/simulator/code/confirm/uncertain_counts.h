#pragma once
#include "simulator/code/function_code.h"

namespace warpwise::code {

/// Finds the accesses that depend on who comes first: in loops that go on until something is seen
/// in memory that others change, and at addresses that others have a say in. For accesses that
/// ptxas repeats in unrolled loops, also finds which branches decide about these loops: lanes that
/// leave such a loop separately pass other copies than those that stay.
/// @param functions functions_of() the program
void find_uncertain_counts(Program& program, const Functions& functions);

}  // namespace warpwise::code
