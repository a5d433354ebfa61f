#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "simulator/cudart/graphs/graph.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/report/error.h"

// Creating, copying and describing graphs: nodes and edges, whatever the nodes do.
namespace warpwise::cudart {
namespace {

/// Fills an array that the caller made for `*count` entries, as the listing functions do: the rest
/// becomes null, `*count` the number written. Without an array, `*count` becomes the number of
/// nodes.
void list(const std::vector<Node*>& nodes, cudaGraphNode_t* out, std::size_t* count) {
  if (given(count) == 0 && out != nullptr) throw Failure{cudaErrorInvalidValue, ""};
  if (out != nullptr) {
    for (std::size_t i = 0; i < *count; ++i)
      out[i] = i < nodes.size() ? handle_of(nodes[i]) : nullptr;
  }
  *count = out == nullptr ? nodes.size() : std::min(*count, nodes.size());
}

/// The same for nodes at the other end of edges, and the edges' data: all edges are plain.
void list_edges(const std::vector<Node*>& ends, cudaGraphNode_t* out, cudaGraphEdgeData* data,
                std::size_t* count) {
  if (data != nullptr) given(out);
  list(ends, out, count);
  if (data != nullptr) std::fill_n(data, *count, cudaGraphEdgeData{});
}

struct Edges {
  std::vector<Node*> from, to;
};

/// The edges in the order of a GPU's runtime: by their source nodes.
Edges edges_of(const Graph& graph) {
  Edges edges;
  for (const auto& node : graph.nodes) {
    for (Node* later : node->after) {
      edges.from.push_back(node.get());
      edges.to.push_back(later);
    }
  }
  return edges;
}

/// Edges come as parallel arrays; edge data other than the default has no meaning here.
template <typename Change>
void change_edges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                  std::size_t count, const Change& change) {
  const Graph& owner = find_graph(graph);
  const std::vector<Node*> first = find_nodes(from, count, owner),
                           second = find_nodes(to, count, owner);
  for (std::size_t i = 0; i < count; ++i) change(first[i], second[i]);
}

constexpr const char* type_names[] = {"kernel",      "memcpy",   "memset",       "host",
                                      "child graph", "empty",    "event record", "event wait",
                                      "mem alloc",   "mem free", "conditional"};
static_assert(std::size(type_names) == std::variant_size_v<Work>);

/// @throws Failure cudaErrorNotSupported.
void refuse_for_memory(const Graph& graph, const char* what) {
  if (!graph.has_memory()) return;
  throw Failure{cudaErrorNotSupported,
                fmt::format("a graph that allocates or frees memory cannot {}", what)};
}

void print_dot(const Graph& graph, std::ofstream& file) {
  file << "digraph dot {\n";
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = *graph.nodes[i];
    file << fmt::format("  \"{}\" [label=\"{} {}\"];\n", i, i, type_names[node.work.index()]);
    for (const Node* earlier : node.before) {
      const auto at = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                   [&](const auto& one) { return one.get() == earlier; });
      file << fmt::format("  \"{}\" -> \"{}\";\n", at - graph.nodes.begin(), i);
    }
  }
  file << "}\n";
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return call_after_fault("cudaGraphCreate", [&] {
    given(graph);
    if (flags != 0) throw Failure{cudaErrorInvalidValue, ""};
    *graph = hand_out(std::make_unique<Graph>());
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call_after_fault("cudaGraphDestroy", [&] {
    forbid_for(reinterpret_cast<const Graph*>(graph));
    take_back(graph);
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return call_after_fault("cudaGraphClone", [&] {
    given(clone);
    const Graph& original = find_graph(graph);
    refuse_for_memory(original, "be cloned");
    if (original.has_conditions()) {
      throw Failure{cudaErrorNotSupported, "a graph with conditional nodes cannot be cloned"};
    }
    *clone = hand_out(original.clone());
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  return call_after_fault("cudaGraphNodeFindInClone", [&] {
    given(found);
    const Node* asked = &find_node(original);
    for (const auto& node : find_graph(clone).nodes) {
      if (node->original != asked) continue;
      *found = handle_of(node.get());
      return;
    }
    throw Failure{cudaErrorInvalidValue, "the graph holds no copy of the node"};
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return call_without_device("cudaGraphNodeGetType",
                             [&] { store(type, type_of(find_node(node).work)); });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call_after_fault("cudaGraphGetNodes", [&] {
    std::vector<Node*> all;
    for (const auto& node : find_graph(graph).nodes) all.push_back(node.get());
    list(all, nodes, count);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call_after_fault("cudaGraphGetRootNodes", [&] {
    std::vector<Node*> roots;
    for (const auto& node : find_graph(graph).nodes) {
      if (node->before.empty()) roots.push_back(node.get());
    }
    // The newest comes first, as on a GPU: a caller that asks for one root gets that.
    std::reverse(roots.begin(), roots.end());
    list(roots, nodes, count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count) {
  return call_after_fault("cudaGraphGetEdges", [&] {
    if ((from == nullptr) != (to == nullptr)) throw Failure{cudaErrorInvalidValue, ""};
    const Edges edges = edges_of(find_graph(graph));
    std::size_t room = given(count);
    list(edges.from, from, &room);
    list_edges(edges.to, to, data, count);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData* data, size_t* count) {
  return call_after_fault("cudaGraphNodeGetDependencies",
                          [&] { list_edges(find_node(node).before, nodes, data, count); });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* data, size_t* count) {
  return call_after_fault("cudaGraphNodeGetDependentNodes",
                          [&] { list_edges(find_node(node).after, nodes, data, count); });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t count) {
  return call_after_fault("cudaGraphAddDependencies", [&] {
    change_edges(graph, from, to, count, [](Node* a, Node* b) { connect(a, b); });
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return call_after_fault("cudaGraphRemoveDependencies", [&] {
    refuse_for_memory(find_graph(graph), "lose edges");
    change_edges(graph, from, to, count, [](Node* a, Node* b) { disconnect(a, b); });
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return call_after_fault("cudaGraphDestroyNode", [&] {
    Node& gone = find_node(node);
    refuse_for_memory(*gone.graph, "lose nodes");
    gone.graph->remove(&gone);
  });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  return call_after_fault("cudaGraphDebugDotPrint", [&] {
    given(path);
    const Graph& described = find_graph(graph);
    std::ofstream file(path);
    if (!file) throw Failure{cudaErrorOperatingSystem, fmt::format("{} cannot be written", path)};
    print_dot(described, file);
  });
}
}
