#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "simulator/cudart/copies/pending_copies.h"
#include "simulator/cudart/device/properties.h"
#include "simulator/cudart/device/settings.h"
#include "simulator/cudart/launch/device_launches.h"
#include "simulator/cudart/launch/launch_checks.h"
#include "simulator/cudart/launch/related_launches.h"
#include "simulator/cudart/launch/submit.h"
#include "simulator/cudart/memory/allocation_sites.h"
#include "simulator/cudart/memory/limit.h"
#include "simulator/cudart/queue/event.h"
#include "simulator/cudart/queue/neighbours.h"
#include "simulator/cudart/queue/operations.h"
#include "simulator/cudart/queue/progress.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/console.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/report/report.h"
#include "simulator/cudart/report/source_place.h"
#include "simulator/cudart/report/trace_file.h"
#include "simulator/cudart/runtime.h"
#include "simulator/memory/host_access.h"
#include "simulator/memory/pages.h"

// A kernel as work: checked, then run with what its threads launch.
namespace warpwise::cudart {
namespace {

/// The error that the real device would leave behind.
struct FaultCode {
  std::string_view kind;
  cudaError_t error;
};
constexpr std::array fault_codes = {
    FaultCode{"out-of-bounds", cudaErrorIllegalAddress},
    FaultCode{"use-after-free", cudaErrorIllegalAddress},
    FaultCode{"invalid-object", cudaErrorIllegalAddress},
    FaultCode{"null-pointer", cudaErrorIllegalAddress},
    FaultCode{"host-pointer", cudaErrorIllegalAddress},
    FaultCode{"peer-access", cudaErrorIllegalAddress},
    FaultCode{"misaligned", cudaErrorMisalignedAddress},
    FaultCode{"invalid-tensor-copy", cudaErrorIllegalInstruction},
    FaultCode{"barrier-divergence", cudaErrorIllegalInstruction},
    FaultCode{"assert", cudaErrorAssert},
};

cudaError_t fault_code(const watch::LaunchReport& report) {
  for (const watch::Diagnosis& diagnosis : report.diagnoses) {
    for (const FaultCode& code : fault_codes) {
      if (diagnosis.kind == code.kind) return code.error;
    }
  }
  return cudaErrorLaunchFailure;
}

machine::Options options(const KernelWork& work, const FoundKernel& found) {
  Runtime& device = runtime();
  const auto sms = static_cast<unsigned>(device.gpu.sms);
  machine::Options result;
  result.threads = settings().threads;
  result.budget = device.budget;
  result.counts_participants = device.counts_participants;
  result.marks_derived = !settings().quiet;  // a lesson asks at once what was wrong
  result.shared_bytes_per_block = static_cast<unsigned>(device.gpu.shared_bytes_per_block_max);
  result.multiprocessors = sms;
  result.resident_blocks = std::uint64_t{sms} * static_cast<unsigned>(blocks_per_sm(work, found));
  result.heap_bytes = device_limit(cudaLimitMallocHeapSize);
  result.stack_bytes = device_limit(cudaLimitStackSize);
  result.output_bytes = device_limit(cudaLimitPrintfFifoSize);
  result.free_place = [](std::uint64_t base) { return full_place(free_site(base)); };
  result.print = [&output = device.output()](std::string_view text) { output.keep(text); };
  return result;
}

std::uint64_t blocks_of(const machine::Launch& request) {
  return std::uint64_t{request.grid[0]} * request.grid[1] * request.grid[2];
}

/// Without which the launch cannot begin.
std::uint64_t blocks_at_once(const machine::Launch& request) {
  if (request.cooperative) return blocks_of(request);
  return std::uint64_t{request.cluster[0]} * request.cluster[1] * request.cluster[2];
}

/// A launch that can begin, and who asked for it.
struct ReadyLaunch {
  machine::Module& module;
  machine::Launch request;
  machine::Options how;
  LaunchedPtr launched;
  /// Of a kernel that a kernel launched: that, and where; null: the host did.
  const machine::DeviceWork* asked = nullptr;
  RelatedLaunches* related = nullptr;  ///< to it, where a kernel launched it
};

/// Tells what the launch is in conflict with that its footprint alone shows.
void compare_with_related(const ReadyLaunch& launch,
                          const std::shared_ptr<const watch::Footprint>& footprint) {
  if (footprint == nullptr || launch.related == nullptr) return;
  launch.related->compare(*launch.launched, footprint, *launch.asked);
}

/// What a launch took from other devices, and wrote there.
void count_peer_bytes(const watch::PeerBytes& bytes) {
  const int here = memory::current_device();
  for (int peer = 0; peer < memory::most_devices; ++peer) {
    count_moved({peer, here, bytes.read[static_cast<std::size_t>(peer)], false});
    count_moved({here, peer, bytes.written[static_cast<std::size_t>(peer)], false});
  }
}

/// On a device thread: runs the launch and hands on what it leaves behind.
void run(ReadyLaunch& launch) {
  Runtime& device = runtime();
  const std::string& kernel = launch.launched->kernel;
  const CallSite& from = launch.launched->from;
  LaunchNeighbours neighbours(launch.how.resident_blocks, *launch.launched,
                              launch.related != nullptr);
  if (!neighbours.wait_for_room(blocks_at_once(launch.request))) return;
  launch.how.neighbours = &neighbours;
  device.reporter.begins(kernel);
  std::optional<watch::Trace> trace = wanted_trace(kernel);
  if (trace) launch.how.trace = &*trace;
  const auto run_watched = [&] {
    Progress progress(kernel, blocks_of(launch.request), Progress::usual());
    launch.how.finished_blocks = &progress.finished_blocks;
    launch.how.time_is_over = &time_is_over();
    return launch.module.run(launch.request, launch.how);
  };
  try {
    watch::LaunchReport report = run_watched();
    device.reporter.ends(kernel);
    if (!neighbours.was_compared()) device.queue.may_have_synchronised();
    if (neighbours.gave_up()) return;
    if (launch.asked != nullptr) {
      report.launched_by = launch.asked->by;
      report.launch_file = launch.asked->asked.file;
      report.launch_line = launch.asked->asked.line;
    }
    count_peer_bytes(report.peer_bytes);
    device.reporter.finish(report, from);
    compare_with_related(launch, neighbours.footprint());
    if (trace) keep_trace(*trace, report);
    if (report.faulted) launch_has_faulted();
    if (!report.unsupported.empty()) {
      device.output().show();
      stop(fmt::format("simulator: {} cannot be run yet: {}", kernel, report.unsupported));
    }
    if (report.faulted) set_fault(fault_code(report), from);
  } catch (const machine::Unsupported& unsupported) {
    stop_unsupported(unsupported.message);
  } catch (const std::exception& error) {
    stop(fmt::format("simulator: {}: {}", kernel, error.what()));
  }
}

/// Where the blocks of a cooperative launch count each other. Several such launches are under way
/// where one waits for another, and each has its own.
class GridBarrier {
 public:
  /// @throws Failure where there is no memory for one.
  GridBarrier() {
    const std::lock_guard lock(free().mutex);
    if (free().places.empty()) free().places.push_back(make());
    address_ = free().places.back();
    free().places.pop_back();
    std::memset(runtime().memory.host(address_), 0, bytes);
  }
  ~GridBarrier() {
    const std::lock_guard lock(free().mutex);
    free().places.push_back(address_);
  }
  GridBarrier(const GridBarrier&) = delete;
  GridBarrier& operator=(const GridBarrier&) = delete;

  std::uint64_t address() const { return address_; }

 private:
  static constexpr std::uint64_t bytes = 64;
  struct Free {
    std::mutex mutex;
    std::vector<std::uint64_t> places;
  };
  static Free& free() {
    static auto& all = *new Free;
    return all;
  }
  static std::uint64_t make() {
    const memory::Allocation* fresh = runtime().memory.allocate(bytes, memory::Kind::variable);
    if (fresh == nullptr) throw Failure{cudaErrorMemoryAllocation, ""};
    runtime().memory.name(fresh->base, "the grid's barrier");
    return fresh->base;
  }

  std::uint64_t address_;
};

machine::Launch machine_launch(const KernelWork& work, const FoundKernel& found) {
  machine::Launch result;
  const dim3 cluster = cluster_of(found, work.attributes);
  result.kernel = found.kernel.name;
  result.grid = {work.grid.x, work.grid.y, work.grid.z};
  result.block = {work.block.x, work.block.y, work.block.z};
  result.dynamic_shared_bytes = static_cast<std::uint32_t>(work.shared_bytes);
  result.parameters = work.arguments;
  result.cluster = {cluster.x, cluster.y, cluster.z};
  result.cooperative = is_cooperative(work.attributes);
  return result;
}

/// The event that a launch records; null for none. A launch is one piece of work here: the event
/// is done with the launch, not when its blocks have begun or said so.
EventPtr event_of(const LaunchAttributes& attributes) {
  for (const auto& [id, value] : attributes) {
    if (id != cudaLaunchAttributeProgrammaticEvent &&
        id != cudaLaunchAttributeLaunchCompletionEvent) {
      continue;
    }
    EventPtr event =
        find_event(id == cudaLaunchAttributeProgrammaticEvent ? value.programmaticEvent.event
                                                              : value.launchCompletionEvent.event);
    if (event->timed) {
      throw Failure{cudaErrorInvalidValue,
                    "an event inside a launch has to be created with cudaEventDisableTiming"};
    }
    return event;
  }
  return nullptr;
}

/// A launch that a kernel made.
/// @param root that the host launched.
ReadyLaunch child_of(const DeviceLaunches& launches, const machine::DeviceWork& asked,
                     const Launched& root) {
  const KernelWork work = launches.kernel_work(asked.launch);
  const FoundKernel found = find_kernel(work.function);
  return {found.kernel.image->module(), machine_launch(work, found), options(work, found),
          std::make_shared<Launched>(
              Launched{machine::readable_name(found.kernel.name), root.from, work.function}),
          &asked};
}

/// Runs the launch, then all that its kernels asked for.
void run_with_children(Image& image, ReadyLaunch first) {
  DeviceLaunches launches(image);
  RelatedLaunches related;
  first.how.device_runtime = &launches;
  run(first);
  while (auto asked = launches.next()) {
    if (faulted()) return;
    if (asked->kind != machine::DeviceWork::Kind::launch) {
      launches.move(*asked, first.launched->from);
      related.compare_move(*asked);
      continue;
    }
    count(Counted::child_launches);
    ReadyLaunch child = child_of(launches, *asked, *first.launched);
    child.how.device_runtime = &launches;
    child.related = &related;
    run(child);
  }
}

bool may_begin_early(const KernelWork& work) {
  const auto asked = work.attributes.find(cudaLaunchAttributeProgrammaticStreamSerialization);
  return asked != work.attributes.end() &&
         asked->second.programmaticStreamSerializationAllowed != 0;
}

LaunchedPtr launched(const KernelWork& work, const FoundKernel& found) {
  const bool early = may_begin_early(work);
  const bool never_waits =
      early && !found.kernel.image->module().has(found.kernel.name,
                                                 code::GridControl::waits_for_prerequisites);
  return std::make_shared<Launched>(Launched{machine::readable_name(found.kernel.name), call_site(),
                                             work.function, early, never_waits});
}

}  // namespace

Step prepare(const KernelWork& asked) {
  const FoundKernel found = find_kernel(asked.function);
  std::optional<KernelWork> changed;
  if (is_shaped(found.info)) changed = shaped(asked, found.info);
  const KernelWork& work = changed ? *changed : asked;
  check_launch(work, found);
  Step step;
  step.stack_bytes = found.info.local_bytes;
  step.launch = launched(work, found);
  step.records = event_of(work.attributes);
  // There is room for a barrier where none is under way.
  if (is_cooperative(work.attributes)) const GridBarrier barrier;
  step.run = [image = found.kernel.image,
              ready = ReadyLaunch{found.kernel.image->module(), machine_launch(work, found),
                                  options(work, found), step.launch}] {
    if (faulted()) return;
    open_after_copies();  // The kernel can tell the host through mapped memory that it began.
    std::optional<GridBarrier> barrier;
    ReadyLaunch first = ready;
    if (first.request.cooperative) first.request.grid_workspace = barrier.emplace().address();
    run_with_children(*image, std::move(first));
  };
  return step;
}

}  // namespace warpwise::cudart
