#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "simulator/cudart/graphs/user_object.h"
#include "simulator/cudart/launch/work.h"
#include "simulator/cudart/report/error.h"

/// Graphs of work: built by hand or by capture, instantiated by graph_exec.h.
namespace warpwise::cudart {

struct Node {
  Graph* graph = nullptr;
  Work work;
  /// The current device when the node was made; the stream's device for a captured node.
  int device = memory::current_device();
  std::vector<Node*> before, after;  ///< its edges, each pair of nodes at most once.
  Node* original = nullptr;          ///< the node that this one was cloned from.
  std::vector<void*> pointers;       ///< what cudaGraphKernelNodeGetParams gave away.
};

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;  ///< in order of creation.
  const Graph* original = nullptr;
  bool child = false;       ///< belongs to a node of another graph.
  Graph* outermost = this;  ///< the graph around all conditional nodes that contain this one.
  HeldObjects objects;
  std::vector<std::shared_ptr<Condition>> conditions;  ///< all of them, in the outermost graph.
  mutable std::weak_ptr<void> instance;                ///< expired where nothing instantiates it.

  explicit Graph(const HeldObjects& held = {});
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph();

  Node* add(Work work, const std::vector<Node*>& before);
  void remove(Node* node);
  /// True where a node allocates or frees memory: such a graph cannot be copied or lose nodes, and
  /// has one instance at a time.
  bool has_memory() const;
  /// True where handles of conditions were made for it or for graphs inside: such a graph cannot be
  /// copied, and has one instance at a time.
  bool has_conditions() const { return !outermost->conditions.empty(); }
  /// Nodes so that each comes after those it depends on; empty where there is a cycle.
  std::vector<Node*> in_order() const;
  std::unique_ptr<Graph> clone() const;
};

/// Why a graph cannot be instantiated.
struct InstantiationFailure : Failure {
  cudaGraphInstantiateResult result;
  Node* node;  ///< the cause; null: no single node
};

/// Adds or removes the edge. @throws Failure cudaErrorInvalidValue where it exists already, joins a
/// node to itself or to another graph; or does not exist.
void connect(Node* from, Node* to);
void disconnect(Node* from, Node* to);

/// True when the node is `to` or has to run before it.
bool precedes(const Node* node, const std::vector<Node*>& to);

/// The objects of handles. @throws Failure cudaErrorInvalidValue.
Graph& find_graph(cudaGraph_t handle);
Node& find_node(cudaGraphNode_t handle);
std::vector<Node*> find_nodes(const cudaGraphNode_t* handles, std::size_t count,
                              const Graph& graph);

inline cudaGraphNode_t handle_of(Node* node) { return reinterpret_cast<cudaGraphNode_t>(node); }

/// Gives the program a graph, or takes it back.
cudaGraph_t hand_out(std::unique_ptr<Graph> graph);
std::unique_ptr<Graph> take_back(cudaGraph_t handle);

/// The node's work if it is of that kind. @throws Failure cudaErrorInvalidValue.
template <typename Kind>
Kind& work_of(cudaGraphNode_t handle);

cudaGraphNodeType type_of(const Work& work);

}  // namespace warpwise::cudart
