#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "simulator/cudart/memory/registered_pages.h"

/// Memory that the program hands to a system call. The host's pages of memory that pending work may
/// use are closed. They are closed to the system as well, which would answer EFAULT although the
/// program may be right. So the call gets another address of the same memory, and the bytes that it
/// has transferred are judged like an access by the host.
namespace warpwise::cudart {

namespace detail {
struct Reserved {
  std::atomic<std::uint64_t> base, bytes;
};
/// The addresses that may be closed; none before there is a device.
extern Reserved reserved;
}  // namespace detail

/// Sets the addresses of device memory and of memory shared with the host, once they are known.
void watch_calls_into(std::uint64_t base, std::uint64_t bytes);

/// True for memory that a system call cannot be given as it is. Costs a comparison and takes no
/// lock: the library's own calls also pass here.
inline bool may_be_closed(const void* memory) {
  const auto base = detail::reserved.base.load(std::memory_order_relaxed);
  return reinterpret_cast<std::uint64_t>(memory) - base <
             detail::reserved.bytes.load(std::memory_order_relaxed) ||
         has_closed_registered();
}

/// What a call does with the memory.
enum class CallDoes { reads, writes };

/// The address to give to the call instead of one of which may_be_closed() is true.
void* for_call(const void* memory);

/// To be called once the call has transferred `bytes` bytes; none and errno EFAULT where it could
/// not. If pending work uses one of them, or if the host may not access the memory, reports it and
/// ends the process with status 1. Keeps errno.
void judge_call(const void* memory, std::size_t bytes, CallDoes does);

}  // namespace warpwise::cudart
