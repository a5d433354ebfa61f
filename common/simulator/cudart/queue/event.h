#pragma once
#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <vector>

#include "simulator/cudart/memory/shared_state.h"
#include "simulator/cudart/queue/queue.h"

namespace warpwise::cudart {

struct Capture;
struct Node;

struct Event {
  bool timed = true;
  int device = 0;  ///< that was current when it was created
  /// The state shared with other processes, if it was created with cudaEventInterprocess.
  std::shared_ptr<SharedFile> shared;
  bool is_foreign = false;  ///< another process has created it
  std::mutex mutex;
  OperationPtr recorded;     ///< the latest record of this process; null before the first.
  std::uint64_t number = 0;  ///< the number of that record among those of all processes
  /// Where the latest record was captured instead: the nodes of the graph that it marks.
  std::shared_ptr<Capture> capture;
  std::vector<Node*> captured;

  OperationPtr record() {
    const std::lock_guard lock(mutex);
    return recorded;
  }
  void set_recorded(const OperationPtr& operation, std::uint64_t as_number = 0) {
    const std::lock_guard lock(mutex);
    recorded = operation;
    number = as_number;
    capture = nullptr;
  }
  /// The number of the latest record, if another process has made it; else 0.
  std::uint64_t foreign_record() {
    if (shared == nullptr) return 0;
    const std::lock_guard lock(mutex);
    const std::uint64_t latest = shared->state().recorded;
    return latest == number ? 0 : latest;
  }
};
using EventPtr = std::shared_ptr<Event>;

/// @throws Failure cudaErrorInvalidResourceHandle.
EventPtr find_event(cudaEvent_t handle);
/// @return the handle by which find_event() has the event from now on.
cudaEvent_t keep_event(EventPtr event);
/// The handle is none any more.
void forget_event(cudaEvent_t event);
/// An event of another process.
cudaEvent_t open_event(std::shared_ptr<SharedFile> shared);

}  // namespace warpwise::cudart
