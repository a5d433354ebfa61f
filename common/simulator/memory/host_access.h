#pragma once
#include <optional>
#include <string>

#include "simulator/memory/address_space.h"

namespace warpwise::memory {

/// True where the address is in memory of this process, whichever thread may access it.
bool is_host_memory(std::uint64_t address);

/// True where this process may read there: not a page that guards the end of an array, either.
/// Where the system does not say, all of its memory is taken for such.
bool is_readable_by_host(std::uint64_t address);

/// True where it is in what the program and its libraries cannot change: string literals, the
/// tables of classes with virtual functions.
bool is_constant_of_host(std::uint64_t address);

/// The host has bytes of its own under the name of a variable of the device.
/// @param name as the compiler knows it.
void add_shadow(const void* host, std::size_t bytes, std::string name);
/// The name of the variable whose shadow holds the address; none for other memory.
std::optional<std::string> shadow_at(std::uint64_t address);

/// Receives the explanation of a host access that faulted. Runs in a signal handler, so it may call
/// only async-signal-safe functions. The process ends with status 1 after it returns.
/// @param kind "device-pointer-on-host", or "missing-sync" for managed memory after a launch.
/// @param message one sentence: what was touched, which allocation, what to do. No newline.
using HostAccessSink = void (*)(const char* kind, const char* message);

#if defined(__x86_64__)
/// Whether the machine tells what an access did that faulted.
constexpr bool tells_reads_from_writes = true;
#else
constexpr bool tells_reads_from_writes = false;
#endif

/// The kind of an access of the host that faulted in memory that kernels can reach.
enum class HostAccess {
  wrong,
  during_kernel,  ///< wrong: of pinned memory that a kernel uses
  right,          ///< the page is open now, and the access goes on
  elsewhere       ///< not closed by the library: a fault like any other
};
/// Looks at such an access. Runs in a signal handler. Where the machine does not tell reads from
/// writes, none is given as a write.
using HostAccessJudge = HostAccess (*)(std::uint64_t address, bool wrote);

/// From now on a host access to device memory is explained instead of ending in a bare segmentation
/// fault. Faults elsewhere go to the handler that was installed before, or end the process as
/// usual.
/// @param memory must live as long as the process. A second call replaces all that the first gave.
/// @param judge null: every access that faults is wrong.
void explain_host_accesses(const AddressSpace& memory, HostAccessSink sink,
                           HostAccessJudge judge = nullptr);

/// Receives the news that the host calls a function at address 0. Runs in a signal handler, but the
/// interrupted code is at a call and holds no lock of a library.
using NullCallSink = void (*)();

/// From now on such a call is reported before the process ends as usual. Needs
/// explain_host_accesses().
/// @param sink need not return.
void explain_null_calls(NullCallSink sink);

/// Explains an access that was made for the host and did not fault, as if it had.
[[noreturn]] void end_with_explanation(std::uint64_t address, bool wrote, HostAccess access);

}  // namespace warpwise::memory
