#include "simulator/cudart/memory/host_visible.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <utility>
#include <variant>

#include "simulator/cudart/copies/pending_copies.h"
#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/memory/registered_pages.h"
#include "simulator/cudart/queue/own_threads.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

using memory::Allocation;
using memory::Kind;
using watch::LineAccess;

/// Only the beginning of a larger allocation is searched for pointers, because each launch
/// searches.
constexpr std::uint64_t searched_bytes = 1 << 18;

/// Follows pointers from allocation to allocation until all managed ones are found.
class Reach {
 public:
  explicit Reach(const std::vector<const Allocation*>& live)
      : managed_(static_cast<std::size_t>(
            std::count_if(live.begin(), live.end(),
                          [](const Allocation* one) { return one->kind == Kind::managed; }))) {}

  void add(const Allocation& allocation) {
    if (!seen_.insert(allocation.base).second) return;
    if (allocation.kind == Kind::managed) found_.push_back(allocation.base);
    to_search_.push_back(&allocation);
  }

  /// Every word that is an address of device memory counts as a pointer.
  void search(std::span<const std::byte> bytes) {
    const memory::AddressSpace& memory = runtime().memory;
    std::uint64_t word = 0;
    for (std::size_t i = 0; i + sizeof word <= bytes.size() && !complete(); i += sizeof word) {
      std::memcpy(&word, bytes.data() + i, sizeof word);
      if (!memory.contains(word)) continue;
      // Some arguments point before an array, or to its end.
      const Allocation* target = memory.find(word);
      if (target == nullptr) target = memory.nearest(word);
      if (target != nullptr && target->live) add(*target);
    }
  }

  void follow() {
    while (!to_search_.empty() && !complete()) {
      const Allocation& next = *to_search_.back();
      to_search_.pop_back();
      search({runtime().memory.host(next.base), std::min(next.bytes, searched_bytes)});
    }
  }

  bool complete() const { return found_.size() == managed_; }
  const std::vector<std::uint64_t>& found() const { return found_; }

 private:
  std::size_t managed_;
  std::set<std::uint64_t> seen_;
  std::vector<std::uint64_t> found_;
  std::vector<const Allocation*> to_search_;
};

/// By whom an allocation is used.
struct Use {
  std::vector<OperationPtr> launches;
  bool has_open_pages = false;
  std::size_t look_at = 16;  ///< a count of launches: at this count, done ones are dropped
};

struct InUse {
  std::mutex mutex;
  std::map<std::uint64_t, Use> allocations;
  std::set<LaunchedPtr> expected;  ///< launches that are being issued
  std::map<const Launched*, std::shared_ptr<const watch::Footprint>> footprints;
  std::size_t pieces = 0;                              ///< of all of them
  static constexpr std::size_t most_pieces = 8 << 20;  ///< a program may never wait
};
InUse& in_use() {
  static auto& all = *new InUse;
  return all;
}

/// @param kernel null: other work, which may reach all.
std::vector<std::uint64_t> managed_memory_of(const KernelWork* kernel) {
  const std::vector<const Allocation*> live = runtime().memory.live();
  Reach reach(live);
  if (reach.complete()) return {};
  // Kernels name variables in their code.
  const auto is_variable = [](const Allocation& one) {
    return one.is_variable || one.kind == Kind::variable || one.kind == Kind::constant;
  };
  for (const Allocation* one : live)
    if (kernel == nullptr || is_variable(*one)) reach.add(*one);
  if (kernel != nullptr) reach.search(kernel->arguments);
  reach.follow();
  return reach.found();
}

std::set<std::uint64_t> pinned_memory_of(const KernelWork& kernel) {
  const memory::AddressSpace& memory = runtime().memory;
  std::set<std::uint64_t> found;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i + sizeof word <= kernel.arguments.size(); i += sizeof word) {
    std::memcpy(&word, kernel.arguments.data() + i, sizeof word);
    const bool may_be_one = memory.contains(word) || memory.has_registered();
    const Allocation* target = may_be_one ? memory.find(word) : nullptr;
    if (target != nullptr && is_host_memory(target->kind)) found.insert(target->base);
  }
  return found;
}

bool talks_to_host(const KernelWork& work) {
  const FoundKernel found = find_kernel(work.function);
  return found.kernel.image->module().talks_to_host(found.kernel.name);
}

/// Drops finished launches now and then: dropping them each time would take long where many wait.
void add(Use& use, const OperationPtr& launch) {
  use.launches.push_back(launch);
  if (use.launches.size() < use.look_at) return;
  std::erase_if(use.launches, [](const auto& one) { return runtime().queue.is_done(one); });
  use.look_at = std::max<std::size_t>(use.look_at, 2 * use.launches.size());
}

/// Launches that have not begun will record what they touch. For managed memory, records are kept
/// only from the host's first access on, because most launches' records are never needed.
void want_footprints(const std::vector<OperationPtr>& launches) {
  constexpr std::size_t most_kept = 32;
  const std::lock_guard lock(in_use().mutex);
  if (launches.size() > most_kept) return;
  for (const OperationPtr& launch : launches) in_use().footprints.try_emplace(launch->launch.get());
}

/// The first byte of a range that the launch has touched in a way that forbids the host's access
/// meanwhile. Where the touched bytes are not known: none of pinned memory, all of managed memory.
std::optional<std::uint64_t> first_touched(const OperationPtr& launch, const Allocation& allocation,
                                           std::uint64_t begin, std::uint64_t end, bool wrote) {
  const auto known = in_use().footprints.find(launch->launch.get());
  if (known == in_use().footprints.end() || known->second == nullptr ||
      known->second->is_too_large())
    return is_host_memory(allocation.kind) ? std::nullopt : std::optional(begin);
  std::optional<std::uint64_t> first;
  for (const LineAccess::Kind kind : {LineAccess::write, LineAccess::strong, LineAccess::read}) {
    if (kind == LineAccess::read && !wrote) continue;
    for (const watch::Footprint::Piece& piece : known->second->pieces(kind))
      if (piece.begin < end && begin < piece.end)
        first = std::min(first.value_or(end), std::max(begin, piece.begin));
  }
  return first;
}

/// The launches that may use an allocation and for which the host has not waited.
std::vector<OperationPtr> launches_that_use(std::uint64_t base) {
  std::vector<OperationPtr> launches;
  {
    const std::lock_guard lock(in_use().mutex);
    const auto use = in_use().allocations.find(base);
    if (use != in_use().allocations.end()) launches = use->second.launches;
  }
  std::erase_if(launches, [](const auto& one) { return runtime().queue.is_known_to_host(one); });
  return launches;
}

/// No launch uses the allocation any more.
void open_to_host(std::uint64_t base) {
  runtime().memory.set_host_access(base, true);
  open_registered(base);
  if (const Allocation* allocation = runtime().memory.find(base))
    close_again(base, allocation->end());
}

/// True where a copy uses the byte in a way that forbids the host's access meanwhile.
bool is_against_copy(std::uint64_t address, bool wrote) {
  const bool may_have_written = wrote || !memory::tells_reads_from_writes;
  return byte_of_pending_copy(address, address + 1, may_have_written).has_value();
}

}  // namespace

std::vector<std::uint64_t> host_visible_memory_of(const Work& work) {
  const auto* kernel = std::get_if<KernelWork>(&work);
  std::vector<std::uint64_t> found = managed_memory_of(kernel);
  if (kernel == nullptr) return found;
  for (const std::uint64_t base : pinned_memory_of(*kernel)) found.push_back(base);
  if (!found.empty() && talks_to_host(*kernel)) return {};
  return found;
}

void expect_host_visible(const std::vector<std::uint64_t>& allocations, const LaunchedPtr& launch) {
  if (allocations.empty()) return;
  const std::lock_guard lock(in_use().mutex);
  in_use().expected.insert(launch);
  for (const std::uint64_t base : allocations)
    if (const Allocation* allocation = runtime().memory.find(base);
        allocation != nullptr && is_host_memory(allocation->kind))
      in_use().footprints.try_emplace(launch.get());
}

void close_host_visible(const std::vector<std::uint64_t>& allocations, const OperationPtr& launch) {
  const std::lock_guard lock(in_use().mutex);
  in_use().expected.erase(launch->launch);
  for (const std::uint64_t base : allocations) {
    Use& use = in_use().allocations[base];
    if (use.launches.empty() || use.has_open_pages) runtime().memory.set_host_access(base, false);
    use.has_open_pages = false;
    add(use, launch);
    const Allocation* allocation = runtime().memory.find(base);
    if (allocation != nullptr && allocation->kind == Kind::registered)
      close_registered(*allocation);
    if (allocation != nullptr && is_host_memory(allocation->kind))
      in_use().footprints.try_emplace(launch->launch.get());
  }
}

void open_host_visible() {
  const std::lock_guard lock(in_use().mutex);
  std::erase_if(in_use().allocations, [](const auto& entry) {
    const auto& [base, use] = entry;
    const bool done = std::all_of(use.launches.begin(), use.launches.end(),
                                  [](const auto& one) { return runtime().queue.is_done(one); });
    if (done) open_to_host(base);
    return done;
  });
  if (!in_use().allocations.empty() || !in_use().expected.empty()) return;
  in_use().footprints.clear();
  in_use().pieces = 0;
}

bool has_to_leave_footprint(const Launched& launch) {
  const std::size_t waiting = runtime().queue.waiting_hosts();
  const std::lock_guard lock(in_use().mutex);
  if (in_use().pieces > InUse::most_pieces) return false;
  if (in_use().footprints.count(&launch) > 0) return true;
  const auto is_it = [&](const OperationPtr& one) { return one->launch.get() == &launch; };
  const auto is_used = [&](const auto& entry) {
    const std::vector<OperationPtr>& launches = entry.second.launches;
    return std::any_of(launches.begin(), launches.end(), is_it);
  };
  const auto& allocations = in_use().allocations;
  const auto& expected = in_use().expected;
  if (!std::any_of(expected.begin(), expected.end(),
                   [&](const auto& one) { return one.get() == &launch; }) &&
      !std::any_of(allocations.begin(), allocations.end(), is_used))
    return false;
  // A thread that does not wait goes on, and may access the launch's memory after the launch has
  // run.
  if (waiting > 0 && waiting >= count_program_threads().value_or(waiting + 1)) return false;
  in_use().footprints.try_emplace(&launch);
  return true;
}

void keep_footprint(const Launched& launch, std::shared_ptr<const watch::Footprint> footprint) {
  const std::lock_guard lock(in_use().mutex);
  const auto wanted = in_use().footprints.find(&launch);
  if (wanted == in_use().footprints.end()) return;
  for (const LineAccess::Kind kind : {LineAccess::read, LineAccess::write, LineAccess::strong})
    in_use().pieces += footprint->pieces(kind).size();
  wanted->second = std::move(footprint);
}

std::optional<std::uint64_t> byte_of_pending_launch(std::uint64_t begin, std::uint64_t end,
                                                    bool wrote) {
  const Allocation* allocation = runtime().memory.find(begin);
  if (allocation == nullptr) return std::nullopt;
  std::vector<OperationPtr> launches = launches_that_use(allocation->base);
  if (launches.empty()) return std::nullopt;
  const auto is_done = [](const OperationPtr& one) { return runtime().queue.is_done(one); };
  do {
    if (!is_host_memory(allocation->kind)) want_footprints(launches);
    if (Queue::on_device_thread()) break;
    for (const OperationPtr& launch : launches) runtime().queue.hurry(launch);
    // They may have launched graphs that also use it, and another thread may have gone on.
    launches = launches_that_use(allocation->base);
  } while (!std::all_of(launches.begin(), launches.end(), is_done));
  const std::lock_guard lock(in_use().mutex);
  const auto use = in_use().allocations.find(allocation->base);
  if (use == in_use().allocations.end()) return std::nullopt;
  const std::vector<OperationPtr>& still = use->second.launches;
  std::optional<std::uint64_t> first;
  for (const OperationPtr& launch : launches) {
    // Another thread may have learnt of its end meanwhile; its record is then gone.
    if (std::find(still.begin(), still.end(), launch) == still.end() ||
        runtime().queue.is_known_to_host(launch))
      continue;
    if (const auto touched = first_touched(launch, *allocation, begin, end, wrote))
      first = std::min(first.value_or(end), *touched);
  }
  return first;
}

memory::HostAccess judge_host_access(std::uint64_t address, bool wrote) {
  if (!runtime().memory.contains(address) && !is_closed_registered(address)) {
    // Another thread may have opened it since.
    static thread_local std::uint64_t tried_again = 0;
    return std::exchange(tried_again, address) != address ? memory::HostAccess::right
                                                          : memory::HostAccess::elsewhere;
  }
  const Allocation* allocation = runtime().memory.find(address);
  const bool is_shared = allocation != nullptr &&
                         (is_host_memory(allocation->kind) || allocation->kind == Kind::managed);
  if (!is_shared || is_against_copy(address, wrote)) return memory::HostAccess::wrong;
  if (byte_of_pending_launch(address, address + 1, wrote)) return memory::HostAccess::during_kernel;
  const std::lock_guard lock(in_use().mutex);
  const auto use = in_use().allocations.find(allocation->base);
  if (use != in_use().allocations.end()) use->second.has_open_pages = true;
  runtime().memory.open_page(address);
  close_again(address, address + 1);
  return memory::HostAccess::right;
}

}  // namespace warpwise::cudart
