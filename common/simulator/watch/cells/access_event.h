#pragma once
#include <cstdint>

#include "simulator/code/program.h"

namespace warpwise::watch {

/// One memory instruction of a warp, after its addresses were found to be good.
struct AccessEvent {
  std::uint32_t site;
  std::uint32_t mask;              ///< lanes that take part; never 0
  const std::uint64_t* addresses;  ///< of 32 lanes, in the space's own numbering
  unsigned bytes;                  ///< per lane
  bool is_consecutive;             ///< all 32 lanes, each right after the one before
  bool is_shared;
  bool is_store;
  bool is_atomic;
  /// In shared memory, while a copy fills it that the same warp has begun, or one that only copies.
  bool is_during_copy = false;
  bool is_optimistic = false;    ///< a load of what a swap right after it looks at again
  bool is_non_coherent = false;  ///< a load by a cache that sees no store of the same launch
  code::Order order;             ///< none: weak
  code::Scope scope;             ///< of a strong access
  std::uint32_t times = 1;       ///< made so often, one after another, with nothing in between

  bool is_strong() const { return order != code::Order::none; }
};

}  // namespace warpwise::watch
