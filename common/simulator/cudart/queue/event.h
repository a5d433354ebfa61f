#pragma once
#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <vector>

#include "simulator/cudart/queue/queue.h"

namespace warpwise::cudart {

struct Capture;
struct Node;

struct Event {
  bool timed = true;
  int device = 0;  ///< that was current when it was created
  std::mutex mutex;
  OperationPtr recorded;  ///< the latest record; null before the first.
  /// Where the latest record was captured instead: the nodes of the graph that it marks.
  std::shared_ptr<Capture> capture;
  std::vector<Node*> captured;

  OperationPtr record() {
    const std::lock_guard lock(mutex);
    return recorded;
  }
  void set_recorded(const OperationPtr& operation) {
    const std::lock_guard lock(mutex);
    recorded = operation;
    capture = nullptr;
  }
};
using EventPtr = std::shared_ptr<Event>;

/// @throws Failure cudaErrorInvalidResourceHandle.
EventPtr find_event(cudaEvent_t handle);
/// @return the handle by which find_event() has the event from now on.
cudaEvent_t keep_event(EventPtr event);
/// The handle is none any more.
void forget_event(cudaEvent_t event);

}  // namespace warpwise::cudart
