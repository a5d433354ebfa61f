#pragma once

namespace warpwise::cudart {

/// Tells of a host access to device memory, with its line where that can be found out. For the
/// signal handler of memory/host_access.h: nothing that the interrupted code may hold is waited for
/// longer than a few seconds.
/// @param message one sentence without control characters.
void tell_host_fault(const char* kind, const char* message);

}  // namespace warpwise::cudart
