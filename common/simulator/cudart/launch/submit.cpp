#include "simulator/cudart/launch/submit.h"

#include "simulator/cudart/copies/pending_copies.h"
#include "simulator/cudart/device/properties.h"
#include "simulator/cudart/graphs/graph_memory.h"
#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/memory/block_users.h"
#include "simulator/cudart/memory/heap_blocks.h"
#include "simulator/cudart/memory/host_memory.h"
#include "simulator/cudart/memory/host_visible.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/queue/event.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/report/report.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

/// A note, because the function need not look at its argument.
void tell_data_gone(const CallSite& from) {
  runtime().reporter.mistake(
      "use-after-free", watch::Severity::note,
      "the argument of this host function was freed before the function ran. It runs once the work "
      "before it in the stream is done: free it in the function itself, or after a "
      "synchronisation",
      {from});
}

Step prepare(const HostWork& work) {
  if (work.function == nullptr) throw Failure{cudaErrorInvalidValue, "no host function was given"};
  std::shared_ptr<BlockUser> user;
  if (block_at(address_of(work.data), 1)) user = std::make_shared<BlockUser>(address_of(work.data));
  Step step;
  step.run = [work, user, from = call_site()] {
    if (faulted()) return;
    open_after_copies();
    open_host_visible();
    runtime().queue.tell_host();
    if (user != nullptr && user->is_given_back()) tell_data_gone(from);
    work.function(work.data);
  };
  step.does = Does::host_function;
  return step;
}

Step prepare(const RecordWork& work) {
  Step step;
  step.run = [] {};
  step.records = find_event(work.event);
  return step;
}

Step prepare(const WaitWork& work) {
  Step step;
  step.run = [] {};
  step.waits_for = find_event(work.event);
  return step;
}

/// Work that has an effect only through its place in a graph.
template <typename Other>
Step prepare(const Other&) {
  Step step;
  step.run = [] {};
  return step;
}

}  // namespace

Step prepare(const Work& work) {
  return std::visit(
      [](const auto& one) -> Step {
        using Kind = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<Kind, KernelWork> || std::is_same_v<Kind, Copy> ||
                      std::is_same_v<Kind, Fill> || std::is_same_v<Kind, AllocWork> ||
                      std::is_same_v<Kind, FreeWork>) {
          return cudart::prepare(one);
        } else {
          return prepare(one);
        }
      },
      work);
}

bool lets_dependents_begin(const Launched& launch) {
  const FoundKernel found = find_kernel(launch.function);
  return found.kernel.image->module().has(found.kernel.name,
                                          code::GridControl::lets_dependents_begin);
}

/// The launch before this one in the stream, if this one may begin before that one has ended and
/// that one lets it; else null.
LaunchedPtr launch_to_overlap(const LaunchedPtr& launch, const Stream& stream) {
  if (launch == nullptr || !launch->may_begin_early) return nullptr;
  const OperationPtr last = runtime().queue.last_launch(stream);
  if (last == nullptr || runtime().queue.is_known_to_host(last)) return nullptr;
  return lets_dependents_begin(*last->launch) ? last->launch : nullptr;
}

OperationPtr submit(cudaStream_t stream, const Work& work) {
  const StreamPtr target = find_stream(stream);
  Step step = prepare(work);
  if (capture(target, work) != nullptr) return nullptr;
  make_stack_room(step.stack_bytes);
  const LaunchedPtr launch = step.launch;
  const EventPtr event = std::move(step.records);
  const auto used = launch ? host_visible_memory_of(work) : std::vector<std::uint64_t>();
  Queue& queue = runtime().queue;
  const LaunchedPtr in_front = launch_to_overlap(launch, *target);
  if (in_front != nullptr && !launch->never_waits) {
    in_front->beside->has_dependent = true;
    launch->beside->in_front = in_front->beside;
  }
  if (launch != nullptr) expect_host_visible(used, launch);
  OperationPtr issued = in_front != nullptr && launch->never_waits
                            ? queue.issue_beside_last(*target, std::move(step.run), launch)
                            : queue.issue(*target, std::move(step.run), {}, launch);
  if (launch == nullptr) queue.note_does(issued, step.does);
  if (event != nullptr) event->set_recorded(issued);
  close_host_visible(used, issued);
  return issued;
}

}  // namespace warpwise::cudart
