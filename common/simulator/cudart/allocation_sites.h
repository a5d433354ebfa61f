#pragma once
#include <cstdint>

#include "simulator/cudart/call_site.h"

/// Which calls allocated what still lives, so that a leak has a line.
namespace warpwise::cudart {

/// The call that this thread is in has allocated the memory that starts at the address.
void remember_allocation(std::uint64_t base);
void forget_allocation(std::uint64_t base);
/// Empty where the call is not known.
CallSite allocation_site(std::uint64_t base);

}  // namespace warpwise::cudart
