#pragma once

namespace warpwise::cudart {

/// Reports a host access to device memory, with its line where that can be found. For the signal
/// handler of memory/host_access.h: waits at most a few seconds for anything that the interrupted
/// code may hold.
/// @param message one sentence without control characters.
void tell_host_fault(const char* kind, const char* message);

/// The same for a thread that was interrupted anywhere. Finding the line takes memory and locks,
/// which the interrupted code may hold: a copy of the process tries, and is ended where it gets
/// stuck. For a signal handler.
/// @param limit_ms how long the copy may take.
/// @return false when nothing was reported: the thread may go on, and be asked again elsewhere.
bool tell_interrupted_host(const char* kind, const char* message, int limit_ms);

}  // namespace warpwise::cudart
