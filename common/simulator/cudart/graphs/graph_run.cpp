#include "simulator/cudart/graphs/graph_run.h"

#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {

OperationPtr GraphRun::outermost() const {
  OperationPtr last = around->gate;
  while (last->follower != nullptr) last = last->follower;
  return last;
}

GraphRunPtr running_graph() {
  const OperationPtr running = runtime().queue.running();
  return running == nullptr ? nullptr : std::static_pointer_cast<GraphRun>(running->run);
}

}  // namespace warpwise::cudart
