#pragma once
#include <cstddef>
#include <optional>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// A plain read of the place that a thread then writes to, whose value decides whether it does, or
/// what it writes.
struct LookBefore {
  std::size_t load = 0;        ///< index into the function's body
  bool decides = false;        ///< whether, and not only what
  bool compares_size = false;  ///< which is greater, and not whether both are equal
  bool is_float = false;
  bool is_by_chosen = false;  ///< the writing threads have one fixed index: `threadIdx.x == 0`
};

/// @param write index into the function's body of a store or an atomic.
std::optional<LookBefore> look_before(const ptx::Function& function, std::size_t write);

/// True where a plain load reads the place that an earlier atomic has updated, with no barrier in
/// between.
bool looks_behind(const ptx::Function& function, std::size_t atomic, std::size_t load);

}  // namespace warpwise::code
