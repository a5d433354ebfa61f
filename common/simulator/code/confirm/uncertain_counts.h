#pragma once
#include "simulator/code/function_code.h"

namespace warpwise::code {

/// Finds the accesses that depend on which thread comes first: in loops that run until they see a
/// change in memory that others write, and at addresses that others influence. For accesses that
/// ptxas repeats in unrolled loops, also finds which branches decide about these loops: lanes that
/// leave such a loop separately pass other copies than those that stay.
/// @param functions functions_of() the program
void find_uncertain_counts(Program& program, const Functions& functions);

}  // namespace warpwise::code
