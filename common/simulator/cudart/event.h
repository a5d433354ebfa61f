#pragma once
#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <vector>

#include "simulator/cudart/queue.h"

namespace warpwise::cudart {

struct Capture;
struct Node;

struct Event {
  bool timed = true;
  bool shared = false;  ///< created with cudaEventInterprocess.
  std::mutex mutex;
  OperationPtr recorded;  ///< the latest record; null before the first.
  /// Where the latest record was captured instead: what it stands for in the graph.
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

}  // namespace warpwise::cudart
