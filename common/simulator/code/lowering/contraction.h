#pragma once
#include <optional>
#include <vector>

#include "simulator/code/flow/liveness.h"

namespace warpwise::code {

/// Makes one fma of a product and the sum that reads it, as ptxas does where neither names a
/// rounding: the product is then not rounded, which changes results.
///
/// The rule was found by comparing ptxas 13.0's machine code of random programs with it: a product
/// is taken into the sums of its basic block if nothing but sums reads it there or later, one with
/// a constant factor into sums anywhere. Divisions that round, and fences, end a block in this
/// sense, see ends_part. A sum of two such products takes the one with fewer readers, the first of
/// equals; products that one sum reads go first. Negations and moves between the two change
/// nothing.
/// @param blocks of the function. @param live registers live at the start of each block.
/// @return the function with such sums as fma, each in its place; nothing where there are none.
std::optional<ptx::Function> contract(const ptx::Function& function,
                                      const std::vector<BasicBlock>& blocks,
                                      const RegisterSets& live);

}  // namespace warpwise::code
