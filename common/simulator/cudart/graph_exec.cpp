#include "simulator/cudart/graph_exec.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "simulator/cudart/capture.h"
#include "simulator/cudart/conditional.h"
#include "simulator/cudart/copy.h"
#include "simulator/cudart/error.h"
#include "simulator/cudart/graph_memory.h"
#include "simulator/cudart/host_visible.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/stream.h"

namespace warpwise::cudart {
namespace {

std::mutex executables_mutex;

std::map<cudaGraphExec_t, std::unique_ptr<GraphExec>>& executables() {
  static auto& all = *new std::map<cudaGraphExec_t, std::unique_ptr<GraphExec>>;
  return all;
}

std::size_t flatten(const Graph& graph, const std::vector<std::size_t>& roots_after,
                    std::vector<ExecNode>& out);

/// Runs the nodes one after the other.
void run_all(const std::vector<ExecNode>& nodes) {
  for (const ExecNode& node : nodes) {
    if (node.enabled) node.step.run();
  }
}

/// The node as part of an instance; a conditional one with the parts of its graphs.
ExecNode instance_of(Node* node) {
  ExecNode result{node, node->work, {}, {}, true, {}};
  const auto* choice = std::get_if<ConditionalWork>(&node->work);
  if (choice == nullptr) {
    result.step = prepare(node->work);
    return result;
  }
  std::vector<std::function<void()>> runs;
  for (const auto& body : choice->bodies) {
    result.bodies.push_back(std::make_shared<std::vector<ExecNode>>());
    flatten(*body, {}, *result.bodies.back());
    runs.push_back([part = result.bodies.back()] { run_all(*part); });
  }
  result.step = conditional_step(*choice, std::move(runs));
  return result;
}

/// Appends the graph's nodes, those of child graphs in place of the node that holds them.
/// @return the index of an empty part that follows them all.
std::size_t flatten(const Graph& graph, const std::vector<std::size_t>& roots_after,
                    std::vector<ExecNode>& out) {
  const std::vector<Node*> order = graph.in_order();
  if (order.size() != graph.nodes.size()) {
    throw Failure{cudaErrorInvalidValue, "the graph's edges form a cycle"};
  }
  std::map<const Node*, std::size_t> index;
  std::vector<std::size_t> leaves = roots_after;
  for (Node* node : order) {
    std::vector<std::size_t> after =
        node->before.empty() ? roots_after : std::vector<std::size_t>();
    for (const Node* earlier : node->before) after.push_back(index.at(earlier));
    const auto* child = std::get_if<ChildWork>(&node->work);
    if (child != nullptr) after = {flatten(*child->graph, after, out)};
    index[node] = out.size();
    out.push_back(instance_of(node));
    out.back().after = std::move(after);
    if (node->after.empty()) leaves.push_back(index[node]);
  }
  out.push_back({nullptr, EmptyWork{}, prepare(Work{EmptyWork{}}), std::move(leaves), true, {}});
  return out.size() - 1;
}

/// All parts of an instance. Before the others conditions get the values they begin with.
std::vector<ExecNode> parts_of(const Graph& graph) {
  std::vector<ExecNode> parts;
  std::vector<std::size_t> first;
  const std::vector<ConditionPtr>& conditions = graph.conditions;
  if (!conditions.empty()) {
    Step begin = prepare(Work{EmptyWork{}});
    begin.run = [conditions] {
      for (const ConditionPtr& condition : conditions) condition->begin();
    };
    parts.push_back({nullptr, EmptyWork{}, std::move(begin), {}, true, {}});
    first.push_back(0);
  }
  flatten(graph, first, parts);
  return parts;
}

/// Kernels that were captured with programmatic stream serialization: each may begin before the one
/// node in front of it has ended, where that lets it.
void join_early_launches(std::vector<ExecNode>& nodes) {
  for (ExecNode& node : nodes) {
    const LaunchedPtr& launch = node.step.launch;
    if (launch == nullptr || !launch->may_begin_early || launch->never_waits) continue;
    if (node.after.size() != 1) continue;
    const LaunchedPtr& other = nodes[node.after.front()].step.launch;
    if (other == nullptr || !lets_dependents_begin(*other)) continue;
    other->beside->has_dependent = other->beside->is_of_graph = true;
    launch->beside->in_front = other->beside;
  }
}

/// @param told gets what cudaGraphInstantiateWithParams tells of a failure.
cudaGraphExec_t instantiate(cudaGraph_t graph, unsigned long long flags,
                            cudaGraphInstantiateParams& told) {
  constexpr unsigned long long known =
      cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
      cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
  if ((flags & ~known) != 0) throw Failure{cudaErrorInvalidValue, "unknown flags"};
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
    stop_unsupported(
        "simulator: launching graphs from the device is not available in the simulator");
  }
  auto fresh = std::make_unique<GraphExec>();
  // What cudaGraphExecGetFlags tells on an H200.
  fresh->flags = flags & ~static_cast<unsigned long long>(cudaGraphInstantiateFlagUpload |
                                                          cudaGraphInstantiateFlagUseNodePriority);
  const Graph& source = find_graph(graph);
  if (source.has_memory() && !source.instance.expired()) {
    throw Failure{cudaErrorNotSupported,
                  "a graph that allocates or frees memory has one instance at a time"};
  }
  if (source.outermost != &source)
    throw Failure{cudaErrorNotSupported, "a conditional node's graph runs with that node alone"};
  if (source.has_conditions() && !source.instance.expired()) {
    throw Failure{cudaErrorNotSupported,
                  "a graph with conditional nodes has one instance at a time"};
  }
  if (const Objection no = objection_to(source); no.result != cudaGraphInstantiateSuccess) {
    told.result_out = no.result;
    if (no.node != nullptr) told.errNode_out = handle_of(no.node);
    throw Failure{cudaErrorInvalidValue, no.why};
  }
  fresh->nodes = parts_of(source);
  join_early_launches(fresh->nodes);
  fresh->objects = std::make_shared<const HeldObjects>(source.objects);
  source.instance = fresh->token = std::make_shared<int>();
  const auto handle = reinterpret_cast<cudaGraphExec_t>(fresh.get());
  const std::lock_guard lock(executables_mutex);
  executables()[handle] = std::move(fresh);
  return handle;
}

/// Issues the graph to a stream.
void launch(GraphExec& exec, cudaStream_t stream) {
  Runtime& device = runtime();
  const StreamPtr target = find_stream(stream);
  device.output.show();
  std::vector<const Work*> all;
  for (const ExecNode& node : exec.nodes) all.push_back(&node.work);
  launch_graph_memory(all, target->id,
                      (exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0);
  std::vector<Part> parts;
  std::vector<std::vector<std::uint64_t>> reached(exec.nodes.size());
  for (const ExecNode& node : exec.nodes) {
    Part part;
    part.after = node.after;
    part.work = node.enabled ? node.step.run : [] {};
    if (node.enabled) part.launch = node.step.launch;
    if (node.step.waits_for != nullptr) part.also = node.step.waits_for->record();
    if (part.launch != nullptr) reached[parts.size()] = host_visible_memory_of(node.work);
    parts.push_back(std::move(part));
  }
  // The program may destroy the instance before its end.
  if (!exec.objects->empty()) parts.back().work = [objects = exec.objects] {};
  const std::vector<OperationPtr> issued =
      device.queue.issue_parts(*target, std::move(parts), exec.latest);
  for (std::size_t i = 0; i < issued.size(); ++i) {
    const EventPtr& event = exec.nodes[i].step.records;
    if (event != nullptr) event->set_recorded(issued[i]);
    close_host_visible(reached[i], issued[i]);
    const auto* copy = std::get_if<Copy>(&exec.nodes[i].work);
    if (copy != nullptr && exec.nodes[i].enabled) close_to_host(*copy, issued[i]);
  }
}

/// What an instantiated graph may fill instead: rectangles keep their shape.
bool may_replace(const Fill& old, const Fill& now) {
  if (old.rows == 1 && now.rows == 1) return true;
  return old.rows == now.rows && old.width == now.width && old.pitch == now.pitch &&
         old.element_bytes == now.element_bytes;
}

cudaGraphExecUpdateResult compare(const GraphExec& exec, const std::vector<ExecNode>& fresh) {
  if (fresh.size() != exec.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const ExecNode &old = exec.nodes[i], &now = fresh[i];
    if (old.work.index() != now.work.index()) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (old.after != now.after) return cudaGraphExecUpdateErrorTopologyChanged;
    const auto* fill = std::get_if<Fill>(&now.work);
    if (fill && !may_replace(std::get<Fill>(old.work), *fill))
      return cudaGraphExecUpdateErrorParametersChanged;
  }
  return cudaGraphExecUpdateSuccess;
}

void update(GraphExec& exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo& info) {
  info = {cudaGraphExecUpdateError, nullptr, nullptr};
  std::vector<ExecNode> fresh = parts_of(find_graph(graph));
  info.result = compare(exec, fresh);
  if (info.result != cudaGraphExecUpdateSuccess) {
    throw Failure{cudaErrorGraphExecUpdateFailure,
                  info.result == cudaGraphExecUpdateErrorParametersChanged
                      ? "a memset of a rectangle has another shape than when the graph was "
                        "instantiated; instantiate it anew"
                      : "the graph has other nodes or edges than the one that was instantiated; "
                        "instantiate it anew"};
  }
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
    node.step = prepare(now[i]->work);
    node.work = now[i]->work;
  }
}

/// The node, of a kind that can be disabled.
ExecNode& optional_node(cudaGraphExec_t exec, cudaGraphNode_t node) {
  ExecNode& found = find_exec(exec).node(&find_node(node));
  const cudaGraphNodeType type = type_of(found.work);
  if (type != cudaGraphNodeTypeKernel && type != cudaGraphNodeTypeMemcpy &&
      type != cudaGraphNodeTypeMemset) {
    throw Failure{cudaErrorInvalidValue, "only kernels, copies and fills can be disabled"};
  }
  return found;
}

ExecNode* find(std::vector<ExecNode>& nodes, const Node* asked) {
  for (ExecNode& one : nodes) {
    if (one.node == asked) return &one;
    for (const auto& body : one.bodies) {
      if (ExecNode* inside = find(*body, asked)) return inside;
    }
  }
  return nullptr;
}

}  // namespace

ExecNode& GraphExec::node(const Node* asked) {
  if (ExecNode* found = find(nodes, asked)) return *found;
  throw Failure{cudaErrorInvalidValue, "the node is not part of the instantiated graph"};
}

GraphExec& find_exec(cudaGraphExec_t handle) {
  const std::lock_guard lock(executables_mutex);
  const auto entry = executables().find(handle);
  if (entry == executables().end()) {
    throw Failure{cudaErrorInvalidValue, "the graph was not instantiated, or is destroyed"};
  }
  return *entry->second;
}

void set_work(cudaGraphExec_t exec, cudaGraphNode_t node, Work work) {
  ExecNode& target = find_exec(exec).node(&find_node(node));
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
  target.step = prepare(work);
  target.work = std::move(work);
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return call("cudaGraphInstantiate", [&] {
    forbid_while_capturing();
    if (exec == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    cudaGraphInstantiateParams ignored;
    *exec = instantiate(graph, flags, ignored);
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params) {
  return call("cudaGraphInstantiateWithParams", [&] {
    if (exec == nullptr || params == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    params->errNode_out = nullptr;
    params->result_out = cudaGraphInstantiateError;
    if ((params->flags & cudaGraphInstantiateFlagUpload) != 0) find_stream(params->uploadStream);
    *exec = instantiate(graph, params->flags, *params);
    params->result_out = cudaGraphInstantiateSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return call_after_fault("cudaGraphExecDestroy", [&] {
    forbid_while_capturing();
    find_exec(exec);
    const std::lock_guard lock(executables_mutex);
    executables().erase(exec);
  });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  return call("cudaGraphExecGetFlags", [&] {
    if (flags == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    *flags = find_exec(exec).flags;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return call("cudaGraphLaunch", [&] {
    const StreamPtr target = find_stream(stream);
    if (capture_of(*target) != nullptr) forbid_for(*target);
    capture(target, EmptyWork{});  // Nothing is captured; the default stream may be forbidden.
    launch(find_exec(exec), stream);
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return call("cudaGraphUpload", [&] {
    forbid_beside_capture(stream);
    find_exec(exec);
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  return call("cudaGraphExecUpdate", [&] {
    cudaGraphExecUpdateResultInfo ignored;
    update(find_exec(exec), graph, info == nullptr ? ignored : *info);
  });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return call("cudaGraphExecChildGraphNodeSetParams", [&] {
    replace(find_exec(exec), *work_of<ChildWork>(node).graph, find_graph(child));
  });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  return call("cudaGraphNodeSetEnabled", [&] { optional_node(exec, node).enabled = enabled != 0; });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
  return call("cudaGraphNodeGetEnabled", [&] {
    if (enabled == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    *enabled = optional_node(exec, node).enabled ? 1 : 0;
  });
}
}
