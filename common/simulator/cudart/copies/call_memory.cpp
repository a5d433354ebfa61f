#include "simulator/cudart/copies/call_memory.h"

#include <algorithm>
#include <cerrno>
#include <optional>

#include "simulator/cudart/copies/pending_copies.h"
#include "simulator/cudart/memory/host_memory.h"
#include "simulator/cudart/memory/host_visible.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {

namespace detail {
Reserved reserved;
}  // namespace detail

void watch_calls_into(std::uint64_t base, std::uint64_t bytes) {
  detail::reserved.base = base;
  detail::reserved.bytes = bytes;
}

void* for_call(const void* memory) {
  const std::uint64_t address = address_of(memory);
  const memory::Allocation* allocation = runtime().memory.find(address);
  if (!runtime().memory.contains(address)) {
    if (allocation != nullptr) open_registered(allocation->base);
    return const_cast<void*>(memory);
  }
  const bool is_shared = allocation != nullptr && memory::is_shared_with_host(allocation->kind);
  return is_shared ? runtime().memory.host(address) : const_cast<void*>(memory);
}

void judge_call(const void* memory, std::size_t bytes, CallDoes does) {
  const int error = errno;
  const bool wrote = does == CallDoes::writes;
  const std::uint64_t begin = address_of(memory);
  const memory::Allocation* allocation = runtime().memory.find(begin);
  if (bytes == 0) {
    const bool is_shared = allocation != nullptr && memory::is_shared_with_host(allocation->kind);
    if (error == EFAULT && !is_shared && runtime().memory.contains(begin))
      memory::end_with_explanation(begin, wrote, memory::HostAccess::wrong);
    return;
  }
  if (allocation == nullptr) return;  // Another thread has freed it since.
  const std::uint64_t end = std::min(begin + bytes, allocation->end());
  if (const auto address = byte_of_pending_copy(begin, end, wrote))
    memory::end_with_explanation(*address, wrote, memory::HostAccess::wrong);
  if (const auto address = byte_of_pending_launch(begin, end, wrote))
    memory::end_with_explanation(*address, wrote, memory::HostAccess::during_kernel);
  if (end < begin + bytes && runtime().memory.contains(begin))
    memory::end_with_explanation(end, wrote, memory::HostAccess::wrong);
  errno = error;
}

}  // namespace warpwise::cudart
