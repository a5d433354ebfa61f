#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "simulator/cudart/report/call_site.h"
#include "simulator/watch/report/report.h"

namespace warpwise::cudart {

/// Notes about allocations that were never freed, one for each of the first few lines that made
/// them; for the end of one device, or of all.
void note_leaks(std::optional<int> device = std::nullopt);
/// Reports memory that kernels got from malloc or new and have not freed so far.
void note_heap_leaks();

/// The part of an array that a copy to the host took.
struct HalfWritten {
  std::uint64_t written_in_front = 0;  ///< bytes from the array's beginning
  std::uint64_t unwritten = 0;         ///< bytes
  bool is_tail = false;                ///< all unwritten bytes are at the end
};

/// A copy has taken unwritten bytes to the host, next to written ones. That is right where the
/// program uses only the written ones: it is reported at the end, and only if the program's own
/// status says that something is wrong.
/// If each thread of the launch has written one element, and the elements left after these are
/// fewer than a block's, the number of blocks was rounded down: this is reported whatever the
/// status says.
/// @param message without its last sentence.
void keep_half_written(const CallSite& from, const std::string& message, const HalfWritten& part);

/// At the end of the program: notes about allocations that were never freed (kind leak) and about
/// an error that the program never asked for (unchecked-error). They change no status.
void note_what_was_left();

}  // namespace warpwise::cudart
