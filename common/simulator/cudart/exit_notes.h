#pragma once
#include <string>

#include "simulator/cudart/call_site.h"

namespace warpwise::cudart {

/// Notes about allocations that were never freed, one for each of the first few lines that made
/// them; for the end of the device.
void note_leaks();
/// Reports what kernels got from malloc or new and did not free so far.
void note_heap_leaks();

/// A copy has taken bytes to the host that nobody has written, beside others that somebody has.
/// That is right where the program uses the others alone: it is told at the end, and only to a
/// program whose own status says that something is wrong.
/// @param message without its last sentence.
void keep_half_written(const CallSite& from, const std::string& message);

/// At the end of the program: notes about allocations that were never freed (kind leak) and about
/// an error that the program never asked for (unchecked-error). They change no status.
void note_what_was_left();

}  // namespace warpwise::cudart
