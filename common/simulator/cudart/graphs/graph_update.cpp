#include <cuda_runtime_api.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulator/cudart/copies/copy.h"
#include "simulator/cudart/graphs/graph_exec.h"
#include "simulator/cudart/launch/submit.h"
#include "simulator/cudart/report/error.h"

// Instantiated graphs that get other work.
namespace warpwise::cudart {
namespace {

/// Whether an instantiated graph may get this fill instead: rectangles keep their shape.
bool may_replace(const Fill& old, const Fill& now) {
  if (old.rows == 1 && now.rows == 1) return true;
  return old.rows == now.rows && old.width == now.width && old.pitch == now.pitch &&
         old.element_bytes == now.element_bytes;
}

/// An objection to an update, with a sentence for the user.
struct UpdateObjection {
  cudaGraphExecUpdateResult result;
  std::string why;
};

std::optional<UpdateObjection> objection(const GraphExec& exec,
                                         const std::vector<ExecNode>& fresh) {
  const char* const differs =
      "the graph has other nodes or edges than the one that was instantiated; instantiate it again";
  if (fresh.size() != exec.nodes.size())
    return UpdateObjection{cudaGraphExecUpdateErrorTopologyChanged, differs};
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const ExecNode &old = exec.nodes[i], &now = fresh[i];
    if (old.work.index() != now.work.index())
      return UpdateObjection{cudaGraphExecUpdateErrorNodeTypeChanged, differs};
    if (old.after != now.after)
      return UpdateObjection{cudaGraphExecUpdateErrorTopologyChanged, differs};
    const auto* fill = std::get_if<Fill>(&now.work);
    if (fill && !may_replace(std::get<Fill>(old.work), *fill))
      return UpdateObjection{cudaGraphExecUpdateErrorParametersChanged,
                             "a memset of a rectangle has another shape than when the graph was "
                             "instantiated; instantiate it again"};
  }
  return std::nullopt;
}

void update(GraphExec& exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo& info) {
  info = {cudaGraphExecUpdateError, nullptr, nullptr};
  std::vector<ExecNode> fresh = instance_nodes(find_graph(graph));
  if (const auto found = objection(exec, fresh)) {
    info.result = found->result;
    throw Failure{cudaErrorGraphExecUpdateFailure, found->why};
  }
  info.result = cudaGraphExecUpdateSuccess;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    exec.nodes[i].work = std::move(fresh[i].work);
    exec.nodes[i].step = std::move(fresh[i].step);
    exec.nodes[i].bodies = std::move(fresh[i].bodies);
  }
}

std::set<std::size_t> places(const std::vector<Node*>& nodes,
                             const std::map<const Node*, std::size_t>& place) {
  std::set<std::size_t> result;
  for (const Node* node : nodes) result.insert(place.at(node));
  return result;
}

/// Gives the nodes that came from `old` the work of those of `fresh`, which has to look the same.
void replace(GraphExec& exec, const Graph& old, const Graph& fresh) {
  const std::vector<Node*> before = old.in_order(), now = fresh.in_order();
  bool same = before.size() == now.size() && old.nodes.size() == fresh.nodes.size();
  std::map<const Node*, std::size_t> place;  // of the nodes of both
  for (std::size_t i = 0; same && i < before.size(); ++i) {
    place[before[i]] = place[now[i]] = i;
    same = before[i]->work.index() == now[i]->work.index() &&
           places(before[i]->before, place) == places(now[i]->before, place);
  }
  if (!same) {
    throw Failure{cudaErrorGraphExecUpdateFailure,
                  "the graph has other nodes or edges than the child that was instantiated"};
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (const auto* child = std::get_if<ChildWork>(&before[i]->work)) {
      replace(exec, *child->graph, *std::get<ChildWork>(now[i]->work).graph);
      continue;
    }
    ExecNode& node = exec.node(before[i]);
    const memory::OnDevice there(now[i]->device);
    node.step = prepare(now[i]->work);
    node.work = now[i]->work;
  }
}

}  // namespace

void set_work(cudaGraphExec_t exec, cudaGraphNode_t node, Work work) {
  GraphExec& graph = find_exec(exec);
  ExecNode& target = graph.node(&find_node(node));
  if (target.work.index() != work.index()) {
    throw Failure{cudaErrorInvalidValue, "the node is of another kind"};
  }
  const auto* copy = std::get_if<Copy>(&work);
  if (copy != nullptr && !may_replace(std::get<Copy>(target.work), *copy)) {
    throw Failure{cudaErrorInvalidValue,
                  "the copy of an instantiated graph keeps its direction, and a single row"};
  }
  const auto* fill = std::get_if<Fill>(&work);
  if (fill != nullptr && !may_replace(std::get<Fill>(target.work), *fill)) {
    throw Failure{
        cudaErrorInvalidValue,
        "an instantiated graph's memset of a rectangle keeps its width, height, pitch and "
        "size of elements"};
  }
  const memory::OnDevice there(target.step.device);
  target.step = prepare(work);
  target.work = std::move(work);
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  return call_without_device("cudaGraphExecUpdate", [&] {
    cudaGraphExecUpdateResultInfo ignored;
    update(find_exec(exec), graph, info == nullptr ? ignored : *info);
  });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return call_without_device("cudaGraphExecChildGraphNodeSetParams", [&] {
    replace(find_exec(exec), *work_of<ChildWork>(node).graph, find_graph(child));
  });
}
}
