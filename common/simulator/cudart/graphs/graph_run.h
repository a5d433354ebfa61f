#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "simulator/cudart/queue/queue.h"
#include "simulator/machine/device_calls/device_runtime.h"

/// Graphs whose kernels launch graphs, and graphs that kernels launch. A run of one has an
/// environment, which is done once the graph is and all that was launched into it: what the graph
/// launches beside itself. What it launches behind itself takes its place then, in the environment
/// around it, and so do, each before the next of the graph, those that the former launch so.
namespace warpwise::cudart {

struct DeviceGraph;
using DeviceGraphPtr = std::shared_ptr<DeviceGraph>;
struct ExecNode;
using UploadedNodes = std::shared_ptr<const std::vector<ExecNode>>;

/// A graph that kernels can launch, as the device knows it.
struct DeviceGraph {
  std::uint64_t handle = 0;
  std::atomic<UploadedNodes> asked_for;  ///< by the host, to be uploaded; null: nothing yet
  UploadedNodes nodes;                   ///< as last uploaded; null: never
  unsigned launches = 0;                 ///< of it that run, or wait to run
};

/// A graph, and the kernel's call that launches it.
struct AskedGraph {
  DeviceGraphPtr graph;
  std::shared_ptr<const machine::DeviceWork> asked;
};

struct GraphRun : RunFrame {
  DeviceGraphPtr graph;          ///< null: one that only the host can launch
  std::deque<AskedGraph> tails;  ///< what it has launched behind itself, in order
  /// What runs in its place, one after the other.
  std::shared_ptr<std::deque<AskedGraph>> waiting = std::make_shared<std::deque<AskedGraph>>();
  std::shared_ptr<const machine::DeviceWork> asked;  ///< null: the host launched it
  /// The operation of the kernel that launched it beside its own graph; null: it is not such a one.
  OperationPtr asked_by;

  /// What waits for all that came of the host's launch.
  OperationPtr outermost() const;
};
using GraphRunPtr = std::shared_ptr<GraphRun>;

/// The run that the operation is part of which runs; null where it is of none.
GraphRunPtr running_graph();

}  // namespace warpwise::cudart
