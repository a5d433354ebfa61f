#pragma once
#include "simulator/code/function_code.h"
#include "simulator/image/cubin.h"

namespace warpwise::code {

/// Compares the memory accesses of the text with those of the compiled code, line by line.
/// Where the compiled code has the same widths, the line's sites are confirmed. Where ptxas merged
/// neighbouring shared accesses and the merge can be found again, they are counted merged and
/// confirmed. All other sites stay unconfirmed: the hardware may merge or drop what the text shows.
void confirm_accesses(Program& program, const Functions& functions,
                      const image::KernelFacts& facts);

}  // namespace warpwise::code
