#pragma once
#include <vector>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// Loads whose value a selp may take instead of another, as places in the function's body: ptxas
/// may make only those lanes load that take the value.
std::vector<std::size_t> selected_loads(const ptx::Function& function);

}  // namespace warpwise::code
