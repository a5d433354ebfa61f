#pragma once
#include <cstdint>

#include "simulator/cudart/report/call_site.h"

/// Remembers which calls allocated live memory and which freed the rest. A leak then has a line,
/// and the report of a second free can name the first.
namespace warpwise::cudart {

/// The call that this thread is in has allocated the memory that starts at the address.
void remember_allocation(std::uint64_t base);
/// The same for freeing it.
/// @param comes_back memory of a graph: its allocation site stays valid.
void remember_free(std::uint64_t base, bool comes_back = false);

/// Empty where the call is not known.
CallSite allocation_site(std::uint64_t base);
/// Empty where the call is not known: only the latest frees are.
CallSite free_site(std::uint64_t base);

}  // namespace warpwise::cudart
