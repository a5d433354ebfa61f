#pragma once
#include <vector>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// Loads of which a selp takes the value or something else, as places in the function's body: ptxas
/// may have only those lanes load that take it.
std::vector<std::size_t> selected_loads(const ptx::Function& function);

}  // namespace warpwise::code
