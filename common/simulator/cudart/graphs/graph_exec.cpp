#include "simulator/cudart/graphs/graph_exec.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

#include "simulator/cudart/copies/copy.h"
#include "simulator/cudart/device/properties.h"
#include "simulator/cudart/graphs/conditional.h"
#include "simulator/cudart/graphs/graph_memory.h"
#include "simulator/cudart/launch/submit.h"
#include "simulator/cudart/memory/host_visible.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/queue/event.h"
#include "simulator/cudart/queue/operations.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

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

/// The node as part of an instance; a conditional node has the parts of its graphs.
ExecNode instance_of(Node* node) {
  const memory::OnDevice there(node->device);
  ExecNode result{node, node->work, {}, {}, true, {}};
  const auto* choice = std::get_if<ConditionalWork>(&node->work);
  if (choice == nullptr) {
    result.step = prepare(node->work);
    make_stack_room(result.step.stack_bytes);
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

/// Appends the graph's nodes; the nodes of a child graph replace the node that holds it.
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

/// Kernels that were captured with programmatic stream serialization: each may begin before its
/// single predecessor has ended, where the predecessor lets it.
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

void check_flags(unsigned long long flags) {
  constexpr unsigned long long known =
      cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
      cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
  if ((flags & ~known) != 0) throw Failure{cudaErrorInvalidValue, "unknown flags"};
}

cudaGraphExec_t instantiate(cudaGraph_t graph, unsigned long long flags) {
  auto fresh = std::make_unique<GraphExec>();
  // The flags that cudaGraphExecGetFlags returns on an H200.
  fresh->flags = flags & ~static_cast<unsigned long long>(cudaGraphInstantiateFlagUpload |
                                                          cudaGraphInstantiateFlagUseNodePriority);
  const Graph& source = find_graph(graph);
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0)
    stop_unsupported(
        "simulator: cudaGraphInstantiateFlagDeviceLaunch: graphs that kernels launch are not "
        "available in the simulator. Launch the graph from the host, or use a conditional node");
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
  check_conditions(source);
  fresh->nodes = instance_nodes(source);
  join_early_launches(fresh->nodes);
  fresh->objects = std::make_shared<const HeldObjects>(source.objects);
  source.instance = fresh->token = std::make_shared<int>();
  const auto handle = reinterpret_cast<cudaGraphExec_t>(fresh.get());
  const std::lock_guard lock(executables_mutex);
  executables()[handle] = std::move(fresh);
  count(Counted::instantiations);
  return handle;
}

ExecNode& GraphExec::node(const Node* asked) {
  if (ExecNode* found = find(nodes, asked)) return *found;
  throw Failure{cudaErrorInvalidValue, "the node is not part of the instantiated graph"};
}

/// The first node gives conditions their first values, the last one closes them.
std::vector<ExecNode> instance_nodes(const Graph& graph) {
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
  if (!conditions.empty()) {
    Step end = prepare(Work{EmptyWork{}});
    end.run = [conditions] {
      for (const ConditionPtr& condition : conditions) condition->end();
    };
    std::vector<std::size_t> all(parts.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    parts.push_back({nullptr, EmptyWork{}, std::move(end), std::move(all), true, {}});
  }
  return parts;
}

std::vector<Part> parts_for(const std::vector<ExecNode>& nodes) {
  std::vector<Part> parts;
  for (const ExecNode& node : nodes) {
    Part part;
    part.after = node.after;
    part.device = node.step.device;
    part.work = node.enabled ? node.step.run : [] {};
    if (node.enabled) part.launch = node.step.launch;
    if (node.enabled) part.does = node.step.does;
    if (node.step.waits_for != nullptr) part.also = node.step.waits_for->record();
    parts.push_back(std::move(part));
  }
  return parts;
}

IssuedNodes::IssuedNodes(const std::vector<ExecNode>& nodes) : nodes_(nodes) {
  for (const ExecNode& node : nodes) {
    std::vector<std::uint64_t>& reached = reached_.emplace_back();
    const LaunchedPtr& launch = node.step.launch;
    if (!node.enabled || launch == nullptr) continue;
    reached = host_visible_memory_of(node.work);
    expect_host_visible(reached, launch);
  }
}

void IssuedNodes::note(const std::vector<OperationPtr>& issued) const {
  for (std::size_t i = 0; i < issued.size(); ++i) {
    const EventPtr& event = nodes_[i].step.records;
    if (event != nullptr) event->set_recorded(issued[i]);
    close_host_visible(reached_[i], issued[i]);
    const auto* copy = std::get_if<Copy>(&nodes_[i].work);
    if (copy != nullptr && nodes_[i].enabled) close_to_host(*copy, issued[i]);
  }
}

GraphExec& find_exec(cudaGraphExec_t handle) {
  const std::lock_guard lock(executables_mutex);
  const auto entry = executables().find(handle);
  if (entry == executables().end()) {
    throw Failure{cudaErrorInvalidValue, "the graph was not instantiated, or is destroyed"};
  }
  return *entry->second;
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return call_after_fault("cudaGraphInstantiate", [&] {
    check_flags(flags);
    need_device();
    forbid_while_capturing();
    given(exec);
    if ((flags & cudaGraphInstantiateFlagUpload) != 0)
      throw Failure{cudaErrorInvalidValue,
                    "an upload needs a stream: call cudaGraphInstantiateWithParams"};
    *exec = instantiate(graph, flags);
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
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
  return call_after_fault("cudaGraphExecGetFlags", [&] {
    given(flags);
    *flags = find_exec(exec).flags;
  });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  return call_without_device("cudaGraphNodeSetEnabled",
                             [&] { optional_node(exec, node).enabled = enabled != 0; });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
  return call_without_device("cudaGraphNodeGetEnabled", [&] {
    given(enabled);
    *enabled = optional_node(exec, node).enabled ? 1 : 0;
  });
}
}
