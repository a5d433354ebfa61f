#pragma once
#include <atomic>

#include "simulator/cudart/report/report.h"

namespace warpwise::cudart {

/// True once the limit has passed, or the user has pressed Ctrl-C: the kernel that runs has to stop
/// and to report where it was.
const std::atomic<bool>& time_is_over();
/// To be called where a launch has faulted and its report is written. Ends the process where that
/// was waited for.
void launch_has_faulted();

/// Ends the process with status 1 and a message after `seconds` seconds from now; 0: never. If no
/// kernel runs then, the message has the line that the calling thread is at. From now on Ctrl-C
/// (SIGINT) makes a running kernel report what was found before the process ends, unless the
/// program handles the signal itself.
void start_limit(double seconds, Reporter& reporter);

}  // namespace warpwise::cudart
