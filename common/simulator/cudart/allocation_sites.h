#pragma once
#include <cstdint>

#include "simulator/cudart/call_site.h"

/// Which calls allocated what lives, and freed what does not, so that a leak has a line and a
/// second free can name the first.
namespace warpwise::cudart {

/// The call that this thread is in has allocated the memory that starts at the address.
void remember_allocation(std::uint64_t base);
/// The same of freeing it.
void remember_free(std::uint64_t base);

/// Empty where the call is not known.
CallSite allocation_site(std::uint64_t base);
/// Empty where the call is not known: it is of the latest frees alone.
CallSite free_site(std::uint64_t base);

}  // namespace warpwise::cudart
