#pragma once
#include <vector>

#include "simulator/code/flow/order.h"

namespace warpwise::code {

/// Finds, per basic block, whether ptxas makes its branch a part of a table of targets. It does so
/// for chains that compare one register with constants close to each other (`switch`). Found with
/// ptxas 13.0 over 180 chains: the register has 32 bits, there are at least three constants,
/// including that of the branch that leads to the chain, and the distance between the constants is
/// at most five times the number of steps between them.
std::vector<bool> parts_of_tables(const ptx::Function& function,
                                  const std::vector<BasicBlock>& blocks);

}  // namespace warpwise::code
