#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/cudart/graphs/graph_exec.h"
#include "simulator/cudart/queue/queue.h"
#include "simulator/machine/device_calls/device_runtime.h"

/// Graphs whose kernels launch graphs, and graphs that kernels launch. A run of one has an
/// environment, which is done once the graph is done and all graphs launched into it: those that
/// the graph launches to run next to itself. A graph that it launches to follow itself takes its
/// place afterwards, in the environment around it. If that graph launches followers of its own,
/// they run before the next follower of the first graph.
namespace warpwise::cudart {

using UploadedNodes = std::shared_ptr<const std::vector<ExecNode>>;

/// A graph that kernels can launch, as the device knows it.
struct DeviceGraph {
  std::uint64_t handle = 0;
  std::atomic<UploadedNodes> asked_for;  ///< by the host, to be uploaded; null: nothing yet
  UploadedNodes nodes;                   ///< as last uploaded; null: never
  unsigned launches = 0;                 ///< launches of it that run or wait to run
};

/// A graph, and the kernel's call that launches it.
struct AskedGraph {
  DeviceGraphPtr graph;
  std::shared_ptr<const machine::DeviceWork> asked;
};

struct GraphRun : RunFrame {
  DeviceGraphPtr graph;          ///< null: one that only the host can launch
  std::deque<AskedGraph> tails;  ///< the graphs it has launched to follow itself, in order
  /// The graphs that take its place, one after the other.
  std::shared_ptr<std::deque<AskedGraph>> waiting = std::make_shared<std::deque<AskedGraph>>();
  std::shared_ptr<const machine::DeviceWork> asked;  ///< null: the host launched it
  /// The operation of the kernel that launched it next to its own graph; null: launched otherwise.
  OperationPtr asked_by;

  /// The operation that waits for all work that followed from the host's launch.
  OperationPtr outermost() const;
};
using GraphRunPtr = std::shared_ptr<GraphRun>;

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

/// The run that the running operation is part of; null where it is not part of one.
GraphRunPtr running_graph();

}  // namespace warpwise::cudart
