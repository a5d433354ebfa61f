#include <cuda_runtime_api.h>

#include <memory>
#include <utility>
#include <vector>

#include "simulator/cudart/device/properties.h"
#include "simulator/cudart/graphs/graph_exec.h"
#include "simulator/cudart/graphs/graph_memory.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/queue/operations.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

// Instances of graphs are launched and uploaded.
namespace warpwise::cudart {
namespace {

/// Issues the graph to a stream.
void launch(GraphExec& exec, cudaStream_t stream) {
  Runtime& device = runtime();
  const StreamPtr target = find_stream(stream);
  device.output().show();
  std::vector<const Work*> all;
  for (const ExecNode& node : exec.nodes) all.push_back(&node.work);
  launch_graph_memory(all, target->chain,
                      (exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0);
  std::vector<Part> parts = parts_for(exec.nodes);
  // The program may destroy the instance before its end.
  if (!exec.objects->empty()) parts.back().work = [objects = exec.objects] {};
  const IssuedNodes nodes(exec.nodes);
  nodes.note(device.queue.issue_parts(*target, std::move(parts), exec.latest));
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params) {
  return call_after_fault("cudaGraphInstantiateWithParams", [&] {
    given(params);
    need_device();
    forbid_while_capturing();
    given(exec);
    check_flags(params->flags);
    params->errNode_out = nullptr;
    params->result_out = cudaGraphInstantiateError;
    if ((params->flags & cudaGraphInstantiateFlagUpload) != 0) find_stream(params->uploadStream);
    try {
      *exec = instantiate(graph, params->flags);
    } catch (const InstantiationFailure& failure) {
      params->result_out = failure.result;
      if (failure.node != nullptr) params->errNode_out = handle_of(failure.node);
      throw;
    }
    params->result_out = cudaGraphInstantiateSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return call("cudaGraphLaunch", [&] {
    const StreamPtr target = find_stream(stream);
    if (capture_of(*target) != nullptr) forbid_for(*target);
    capture(target, EmptyWork{});  // Nothing is captured; the default stream may be forbidden.
    launch(find_exec(exec), stream);
    count(Counted::launch_calls);
    count(Counted::graph_launches);
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return call("cudaGraphUpload", [&] {
    forbid_beside_capture(stream);
    find_exec(exec);
    find_stream(stream);
  });
}
}
