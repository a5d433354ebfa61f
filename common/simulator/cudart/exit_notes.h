#pragma once

namespace warpwise::cudart {

/// Notes about allocations that were never freed, one for each of the first few lines that made
/// them; for the end of the device.
void note_leaks();

/// At the end of the program: notes about allocations that were never freed (kind leak) and about
/// an error that the program never asked for (unchecked-error). They change no status.
void note_what_was_left();

}  // namespace warpwise::cudart
