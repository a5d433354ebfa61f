#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "simulator/cudart/report/call_site.h"
#include "simulator/watch/report/report.h"

namespace warpwise::cudart {

/// Notes about allocations that were never freed, one for each of the first few lines that made
/// them; for the end of a device, or of all.
void note_leaks(std::optional<int> device = std::nullopt);
/// Reports what kernels got from malloc or new and did not free so far.
void note_heap_leaks();

/// What a copy to the host took of an array.
struct HalfWritten {
  std::uint64_t written_in_front = 0;  ///< bytes from the array's beginning
  std::uint64_t unwritten = 0;         ///< bytes
  bool is_tail = false;                ///< all that was not written is at the end
};

/// A copy has taken bytes to the host that nobody has written, beside others that somebody has.
/// That is right where the program uses the others alone: it is told at the end, and only to a
/// program whose own status says that something is wrong.
/// Where the launch has written an element by each thread, and what is left behind these is less
/// than a block's, the number of blocks was rounded down: that is told whatever the status says.
/// @param message without its last sentence.
void keep_half_written(const CallSite& from, const std::string& message, const HalfWritten& part);

/// At the end of the program: notes about allocations that were never freed (kind leak) and about
/// an error that the program never asked for (unchecked-error). They change no status.
void note_what_was_left();

}  // namespace warpwise::cudart
