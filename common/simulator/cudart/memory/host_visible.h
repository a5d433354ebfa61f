#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/cudart/launch/work.h"
#include "simulator/cudart/queue/queue.h"
#include "simulator/memory/host_access.h"
#include "simulator/watch/launches/footprint.h"

/// Memory of both sides, managed or pinned, that launches may be using. Until the host has waited
/// for them, its access to such memory faults and is reported as a missing synchronisation. Memory
/// that a launch cannot reach stays open: programs prepare the data of the next launch while one
/// runs. All is open to a kernel that talks to the host while it runs.
namespace warpwise::cudart {

/// Where the allocations start that a kernel may reach. Managed ones: those that its arguments
/// point to, those that pointers stored there point to, and so on, and the program's managed
/// variables. Pinned ones: those that its arguments point to. Of work that is not a kernel: all
/// managed ones. To be called before the work is issued.
std::vector<std::uint64_t> host_visible_memory_of(const Work& work);

/// The launch that may use the allocations is about to be issued, and may begin at once: its record
/// of touched bytes is kept.
void expect_host_visible(const std::vector<std::uint64_t>& allocations, const LaunchedPtr& launch);

/// The launch that may use the allocations has been issued.
void close_host_visible(const std::vector<std::uint64_t>& allocations, const OperationPtr& launch);

/// To be called where the host has learnt that an operation is done: opens memory that no launch
/// uses any more.
void open_host_visible();

/// True where the host may ask what the launch touches of the memory that it has closed.
bool has_to_leave_footprint(const Launched& launch);
/// Keeps what such a launch has touched.
void keep_footprint(const Launched& launch, std::shared_ptr<const watch::Footprint> footprint);

/// Judges an access by the host that faulted. The access is right if the launches do not touch the
/// same word, as with halves of a buffer that are used in turns: the launches run now, and the page
/// is opened. Takes locks that the program's code does not hold.
memory::HostAccess judge_host_access(std::uint64_t address, bool wrote);

/// The first byte of a range of one allocation that the host must not read, or write, because a
/// launch uses it and the host has not waited for that launch. Such launches run now.
std::optional<std::uint64_t> byte_of_pending_launch(std::uint64_t begin, std::uint64_t end,
                                                    bool wrote);

}  // namespace warpwise::cudart
