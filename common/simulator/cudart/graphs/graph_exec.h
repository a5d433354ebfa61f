#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/cudart/graphs/graph.h"

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
  std::shared_ptr<const HeldObjects> objects;  ///< of the graphs it came from; destroyed with the
                                               ///< last launch.
  OperationPtr latest;  ///< the end of the last launch, which the next follows in any stream
  std::shared_ptr<void> token;  ///< what Graph::instance looks at.

  /// @throws Failure cudaErrorInvalidValue.
  ExecNode& node(const Node* asked);
};

/// @throws Failure cudaErrorInvalidValue.
GraphExec& find_exec(cudaGraphExec_t handle);

/// @throws Failure cudaErrorInvalidValue for flags that cudaGraphInstantiate does not have.
void check_flags(unsigned long long flags);
/// Makes an instance of a graph. @throws Failure with the real runtime's code.
cudaGraphExec_t instantiate(cudaGraph_t graph, unsigned long long flags);
/// The nodes as parts that a stream takes.
std::vector<Part> parts_for(const std::vector<ExecNode>& nodes);

/// The record of issued nodes. To be made before they are issued.
class IssuedNodes {
 public:
  explicit IssuedNodes(const std::vector<ExecNode>& nodes);
  /// @param issued the operations of the nodes.
  void note(const std::vector<OperationPtr>& issued) const;

 private:
  const std::vector<ExecNode>& nodes_;
  std::vector<std::vector<std::uint64_t>> reached_;  ///< per node: memory that the host can see
};

/// All nodes of an instance of the graph, and the steps around them.
std::vector<ExecNode> instance_nodes(const Graph& graph);

/// Replaces the work of a node of an instantiated graph with other work of the same kind.
/// @throws Failure.
void set_work(cudaGraphExec_t exec, cudaGraphNode_t node, Work work);

}  // namespace warpwise::cudart
