#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tutor/author/adversaries/adversaries.h"

namespace warpwise::tutor {

/// Every adversary of an exercise on host code: the solution with one thing left out, or done
/// otherwise, in its blank. A check that lets one pass has a gap, unless it does the same as the
/// solution and the check says why (reasons_for_equal()).
///
/// - `no_wait`: the host waits for no stream, no event and no device.
/// - `no_event_wait`: no stream waits for an event.
/// - `no_copy_in`, `no_copy_back`: nothing is copied to the device, or from it.
/// - `elements_copied`: each copy has so many bytes as there are elements of four bytes.
/// - `no_free`: memory is not freed.
/// - `copies_in_stream_0`, `kernels_in_stream_0`: asynchronous copies, or launches, name stream 0.
/// - `one_block_less`: each grid has one block less.
/// - `no_last_turn`: each loop leaves out its last turn.
///
/// @param solution the frame with its blank filled.
/// @return all of them, in this order, also those that do not apply.
/// @throws lesson::FrameError for a text without a blank.
std::vector<Adversary> program_adversaries_of(const std::string& solution);

/// Why adversaries that pass do the same as the solution, by name: of lines such as
/// `// equal no_free: the process ends, and its memory with it` in a check's source.
std::map<std::string, std::string> reasons_for_equal(std::string_view check);

}  // namespace warpwise::tutor
