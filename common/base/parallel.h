#pragma once
#include <cstddef>

#include "base/function.h"

namespace warpwise::base {

/// @return how many jobs this machine runs at the same time, at least 1.
std::size_t cores();

/// Does `work(item, worker)` for every item below `items`, on as many threads as there are workers.
/// @throws whatever the first failing call threw, after all workers have stopped.
void in_parallel(std::size_t items, std::size_t workers,
                 const std::function<void(std::size_t item, std::size_t worker)>& work);

}  // namespace warpwise::base
