#pragma once
#include <vector>

#include "simulator/code/flow/order.h"

namespace warpwise::code {

/// Of each basic block whether ptxas makes its branch a part of a table of targets: of chains of
/// comparisons of one register with constants (`switch`) that lie close together. Found out with
/// ptxas 13.0 over 180 chains: those of 32 bits, at least three constants, with that of the branch
/// that leads to the chain, and no more than five times as far apart as there are steps between
/// them.
std::vector<bool> parts_of_tables(const ptx::Function& function,
                                  const std::vector<BasicBlock>& blocks);

}  // namespace warpwise::code
