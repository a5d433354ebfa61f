#pragma once
#include <optional>
#include <vector>

#include "simulator/cudart/graphs/graph_exec.h"
#include "simulator/cudart/graphs/graph_run.h"
#include "simulator/cudart/queue/queue.h"
#include "simulator/machine/device_calls/device_runtime.h"

/// Launches of graphs whose kernels launch graphs: graph_run.h.
namespace warpwise::cudart {

/// By the host: issues the graph with parts for its nodes, as Queue::issue_parts() does.
/// @param graph null where kernels cannot launch it; else it is also uploaded.
std::vector<OperationPtr> issue_run(Stream& stream, std::vector<Part> parts, OperationPtr& latest,
                                    const DeviceGraphPtr& graph,
                                    const std::vector<ExecNode>& nodes);

/// By the host: uploads what kernels launch once the stream has reached this point.
void issue_upload(Stream& stream, const DeviceGraphPtr& graph, const std::vector<ExecNode>& nodes);

/// By a kernel of the operation that runs. @param run that the kernel is of; null: of no graph's.
std::optional<machine::DeviceRuntime::GraphRefusal> launch_from_kernel(
    const GraphRunPtr& run, const machine::DeviceWork& work);

}  // namespace warpwise::cudart
