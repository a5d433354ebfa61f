#include "simulator/cudart/graphs/graph.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "simulator/cudart/report/error.h"

namespace warpwise::cudart {
namespace {

/// Live handles: a graph's nodes are created and destroyed with it.
struct Handles {
  std::mutex mutex;
  std::map<const void*, std::unique_ptr<Graph>> given;  ///< graphs of the program.
  std::set<const void*> graphs;                         ///< all, those inside others too.
  std::set<const void*> nodes;
};

Handles& handles() {
  static auto& all = *new Handles;
  return all;
}

bool contains(const std::vector<Node*>& nodes, const Node* node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

}  // namespace

Graph::Graph(const HeldObjects& held) : objects(held) {
  const std::lock_guard lock(handles().mutex);
  handles().graphs.insert(this);
}

Graph::~Graph() {
  const std::lock_guard lock(handles().mutex);
  for (const auto& node : nodes) handles().nodes.erase(node.get());
  handles().graphs.erase(this);
}

Node* Graph::add(Work work, const std::vector<Node*>& before) {
  auto fresh = std::make_unique<Node>();
  Node* node = fresh.get();
  node->graph = this;
  node->work = std::move(work);
  for (Node* earlier : before) connect(earlier, node);
  nodes.push_back(std::move(fresh));
  const std::lock_guard lock(handles().mutex);
  handles().nodes.insert(node);
  return node;
}

void Graph::remove(Node* node) {
  for (Node* earlier : node->before) std::erase(earlier->after, node);
  for (Node* later : node->after) std::erase(later->before, node);
  {
    const std::lock_guard lock(handles().mutex);
    handles().nodes.erase(node);
  }
  std::erase_if(nodes, [&](const auto& one) { return one.get() == node; });
}

bool Graph::has_memory() const {
  return std::any_of(nodes.begin(), nodes.end(), [](const auto& node) {
    return std::holds_alternative<AllocWork>(node->work) ||
           std::holds_alternative<FreeWork>(node->work);
  });
}

std::vector<Node*> Graph::in_order() const {
  std::map<const Node*, std::size_t> open;
  std::vector<Node*> order;
  for (const auto& node : nodes) {
    open[node.get()] = node->before.size();
    if (node->before.empty()) order.push_back(node.get());
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (Node* later : order[i]->after) {
      if (--open[later] == 0) order.push_back(later);
    }
  }
  if (order.size() != nodes.size()) order.clear();
  return order;
}

std::unique_ptr<Graph> Graph::clone() const {
  auto copy = std::make_unique<Graph>(objects);
  copy->original = this;
  std::map<const Node*, Node*> twin;
  for (const auto& node : nodes) {
    twin[node.get()] = copy->add(node->work, {});
    twin[node.get()]->original = node.get();
    twin[node.get()]->device = node->device;
    if (auto* child = std::get_if<ChildWork>(&twin[node.get()]->work)) {
      child->graph = child->graph->clone();
      child->graph->child = true;
    }
  }
  for (const auto& node : nodes) {
    for (Node* earlier : node->before) connect(twin[earlier], twin[node.get()]);
  }
  return copy;
}

void connect(Node* from, Node* to) {
  if (from == to || from->graph != to->graph || contains(to->before, from)) {
    throw Failure{cudaErrorInvalidValue,
                  "an edge joins two different nodes of one graph, and only once"};
  }
  from->after.push_back(to);
  to->before.push_back(from);
}

void disconnect(Node* from, Node* to) {
  if (!contains(to->before, from)) {
    throw Failure{cudaErrorInvalidValue, "the graph has no such edge"};
  }
  std::erase(from->after, to);
  std::erase(to->before, from);
}

bool precedes(const Node* node, const std::vector<Node*>& to) {
  std::set<const Node*> seen;
  std::vector<const Node*> open(to.begin(), to.end());
  while (!open.empty()) {
    const Node* one = open.back();
    open.pop_back();
    if (one == node) return true;
    if (!seen.insert(one).second) continue;
    open.insert(open.end(), one->before.begin(), one->before.end());
  }
  return false;
}

Graph& find_graph(cudaGraph_t handle) {
  const std::lock_guard lock(handles().mutex);
  if (!handles().graphs.contains(handle)) {
    throw Failure{cudaErrorInvalidValue, "the graph was not created, or is destroyed"};
  }
  return *reinterpret_cast<Graph*>(handle);
}

Node& find_node(cudaGraphNode_t handle) {
  const std::lock_guard lock(handles().mutex);
  if (!handles().nodes.contains(handle)) {
    throw Failure{cudaErrorInvalidValue, "the node does not exist, or is destroyed"};
  }
  return *reinterpret_cast<Node*>(handle);
}

std::vector<Node*> find_nodes(const cudaGraphNode_t* nodes, std::size_t count, const Graph& graph) {
  if (count > 0) given(nodes);
  std::vector<Node*> found;
  for (std::size_t i = 0; i < count; ++i) {
    found.push_back(&find_node(nodes[i]));
    if (found.back()->graph != &graph) {
      throw Failure{cudaErrorInvalidValue, "a node belongs to another graph"};
    }
  }
  return found;
}

cudaGraph_t hand_out(std::unique_ptr<Graph> graph) {
  const std::lock_guard lock(handles().mutex);
  Graph* handle = graph.get();
  handles().given[handle] = std::move(graph);
  return reinterpret_cast<cudaGraph_t>(handle);
}

std::unique_ptr<Graph> take_back(cudaGraph_t handle) {
  const std::lock_guard lock(handles().mutex);
  const auto entry = handles().given.find(handle);
  if (entry == handles().given.end()) {
    throw Failure{cudaErrorInvalidValue, "the graph was not created, or is destroyed"};
  }
  auto graph = std::move(entry->second);
  handles().given.erase(entry);
  return graph;
}

cudaGraphNodeType type_of(const Work& work) {
  constexpr cudaGraphNodeType types[] = {
      cudaGraphNodeTypeKernel,      cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeMemset,
      cudaGraphNodeTypeHost,        cudaGraphNodeTypeGraph,       cudaGraphNodeTypeEmpty,
      cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent,   cudaGraphNodeTypeMemAlloc,
      cudaGraphNodeTypeMemFree,     cudaGraphNodeTypeConditional,
  };
  static_assert(std::size(types) == std::variant_size_v<Work>);
  return types[work.index()];
}

template <typename Kind>
Kind& work_of(cudaGraphNode_t handle) {
  auto* found = std::get_if<Kind>(&find_node(handle).work);
  if (found == nullptr) throw Failure{cudaErrorInvalidValue, "the node is of another kind"};
  return *found;
}
template KernelWork& work_of<KernelWork>(cudaGraphNode_t);
template Copy& work_of<Copy>(cudaGraphNode_t);
template Fill& work_of<Fill>(cudaGraphNode_t);
template HostWork& work_of<HostWork>(cudaGraphNode_t);
template ChildWork& work_of<ChildWork>(cudaGraphNode_t);
template RecordWork& work_of<RecordWork>(cudaGraphNode_t);
template WaitWork& work_of<WaitWork>(cudaGraphNode_t);
template AllocWork& work_of<AllocWork>(cudaGraphNode_t);
template FreeWork& work_of<FreeWork>(cudaGraphNode_t);
template ConditionalWork& work_of<ConditionalWork>(cudaGraphNode_t);

}  // namespace warpwise::cudart
