#pragma once
#include <cuda_runtime_api.h>

#include <vector>

#include "simulator/cudart/graph.h"

namespace warpwise::cudart {

/// A node of a graph that can be launched.
struct ExecNode {
  Node* node;  ///< of the graph it came from, for identity alone; null for the end of a graph.
  Work work;
  Step step;
  std::vector<std::size_t> after;
  bool enabled = true;
  std::vector<std::shared_ptr<std::vector<ExecNode>>> bodies;  ///< of a conditional node.
};

/// An instantiated graph: its nodes in an order in which they can run.
struct GraphExec {
  std::vector<ExecNode> nodes;
  unsigned long long flags = 0;
  std::shared_ptr<const HeldObjects> objects;  ///< of the graphs it came from; goes with the last
                                               ///< launch.
  OperationPtr latest;  ///< the end of the last launch, which the next follows in any stream
  std::shared_ptr<void> token;  ///< what Graph::instance looks at.

  /// @throws Failure cudaErrorInvalidValue.
  ExecNode& node(const Node* asked);
};

/// @throws Failure cudaErrorInvalidValue.
GraphExec& find_exec(cudaGraphExec_t handle);

/// Replaces what a node of an instantiated graph does by other work of the same kind.
/// @throws Failure.
void set_work(cudaGraphExec_t exec, cudaGraphNode_t node, Work work);

}  // namespace warpwise::cudart
