#pragma once
#include <cstdint>
#include <optional>

#include "simulator/cudart/queue/queue.h"

/// Page-locked memory that an asynchronous copy is still to read or to write. Until the host has
/// waited for the copy, its access to such memory faults and is reported as a missing
/// synchronisation.
namespace warpwise::cudart {

/// The access of a pending copy to memory of the host.
enum class CopyDoes { reads, writes };

/// The copy has been issued. Does nothing where the memory is not page-locked by the runtime. Pages
/// that the copy shares with other data are also closed, until the host accesses the other data.
void close_to_host(const void* memory, std::size_t bytes, CopyDoes does,
                   const OperationPtr& operation);

/// To be called where the host has learnt that an operation is done: opens the pages that finished
/// copies have left closed.
void open_after_copies();
/// To be called where the pages of a range were opened though copies may be using them.
void close_again(std::uint64_t begin, std::uint64_t end);
/// The first byte of a range that the host must not read, or write, because of a pending copy.
std::optional<std::uint64_t> byte_of_pending_copy(std::uint64_t begin, std::uint64_t end,
                                                  bool wrote);

}  // namespace warpwise::cudart
