#include <cuda_runtime_api.h>

#include <cstring>
#include <vector>

#include "simulator/cudart/copies/copy_ends.h"
#include "simulator/cudart/graphs/conditional.h"
#include "simulator/cudart/graphs/graph_exec.h"
#include "simulator/cudart/graphs/graph_memory.h"
#include "simulator/cudart/graphs/graph_node_work.h"
#include "simulator/cudart/launch/launch.h"
#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/launch/submit.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/textures/volume.h"

// The nodes of a graph: functions that add, query and change them, in a graph and in an
// instantiated one. Each kind has one function that turns the program's parameters into work.
namespace warpwise::cudart {

void add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
              std::size_t count, Work work) {
  need_context();
  Graph& owner = find_graph(graph);
  given(node);
  const std::vector<Node*> earlier = find_nodes(before, count, owner);
  prepare(work);
  *node = handle_of(owner.add(std::move(work), earlier));
}

namespace {

cudaEvent_t handle(cudaEvent_t event) { return &given(event); }

template <typename Params>
Fill fill_of(const Params& params) {
  if (params.elementSize != 1 && params.elementSize != 2 && params.elementSize != 4) {
    throw Failure{cudaErrorInvalidValue, "elements have 1, 2 or 4 bytes"};
  }
  if (params.height == 0) throw Failure{cudaErrorInvalidValue, "a rectangle of no rows"};
  Fill result;
  result.to = params.dst;
  result.value = params.value;
  result.width = params.width;
  result.rows = params.height;
  result.pitch = params.height > 1 ? params.pitch : 0;
  result.element_bytes = params.elementSize;
  return result;
}

/// A node copies something; a call may copy nothing.
Copy checked_copy(Copy copy) {
  if (copy.width == 0 || copy.rows == 0 || copy.slices == 0)
    throw Failure{cudaErrorInvalidValue, "a node of a graph cannot copy 0 bytes", "invalid-copy"};
  if (copy.kind < cudaMemcpyHostToHost || copy.kind > cudaMemcpyDefault)
    throw Failure{cudaErrorInvalidMemcpyDirection, "unknown direction", "invalid-copy"};
  return copy;
}

/// The copy that parameters describe.
Copy given_copy(const cudaMemcpy3DParms* params) {
  given(params);
  need_device();
  return checked_copy(copy_of(*params));
}

Copy plain_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const Copy copy = {.to = to, .from = from, .width = bytes, .kind = kind};
  if (bytes != 0) {
    if (to == nullptr || from == nullptr)
      throw Failure{cudaErrorInvalidValue, "a side of the copy is null", "invalid-copy"};
    check_form(copy);
  }
  need_device();
  return checked_copy(copy);
}

/// The fill that parameters describe.
Fill given_fill(const cudaMemsetParams* params) {
  given(params);
  need_device();
  return fill_of(*params);
}

ChildWork child_of(cudaGraph_t graph) {
  const Graph& original = find_graph(graph);
  if (original.has_conditions())
    throw Failure{cudaErrorNotSupported, "a graph with conditional nodes cannot be in another"};
  ChildWork work{original.clone()};
  work.graph->child = true;
  return work;
}

/// @param params of either version; gets the address.
template <typename Params>
AllocWork alloc_of(Params& params) {
  auto memory = std::make_shared<GraphMemory>(params.bytesize);
  params.dptr = reinterpret_cast<void*>(memory->base());
  AllocWork work{{}, std::move(memory)};
  work.params.poolProps = params.poolProps;
  work.params.accessDescs = params.accessDescs;
  work.params.accessDescCount = params.accessDescCount;
  work.params.bytesize = params.bytesize;
  work.params.dptr = params.dptr;
  return work;
}

/// @param owner the graph of the node; null where the node exists.
FreeWork free_of(void* pointer, const Graph* owner) {
  given(pointer);
  if (owner == nullptr) return {pointer};
  if (!is_graph_memory(reinterpret_cast<std::uint64_t>(pointer)))
    throw Failure{cudaErrorInvalidValue, "no node of a graph allocates this memory"};
  for (const auto& other : owner->nodes) {
    const auto* work = std::get_if<FreeWork>(&other->work);
    if (work != nullptr && work->pointer == pointer) {
      throw Failure{cudaErrorInvalidValue, "another node of the graph frees this memory"};
    }
  }
  return {pointer};
}

/// The work that cudaGraphAddNode and related functions describe.
/// @param owner the graph of the node; null where the node exists.
Work generic(cudaGraphNodeParams& params, const Graph* owner) {
  switch (params.type) {
    case cudaGraphNodeTypeKernel:
      return kernel_of(params.kernel);
    case cudaGraphNodeTypeMemcpy:
      return copy_of(params.memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return fill_of(params.memset);
    case cudaGraphNodeTypeHost:
      return HostWork{params.host.fn, params.host.userData};
    case cudaGraphNodeTypeGraph:
      return child_of(params.graph.graph);
    case cudaGraphNodeTypeEmpty:
      return EmptyWork{};
    case cudaGraphNodeTypeWaitEvent:
      return WaitWork{params.eventWait.event};
    case cudaGraphNodeTypeEventRecord:
      return RecordWork{params.eventRecord.event};
    case cudaGraphNodeTypeMemAlloc:
      return alloc_of(params.alloc);
    case cudaGraphNodeTypeMemFree:
      return free_of(params.free.dptr, owner);
    case cudaGraphNodeTypeConditional:
      if (owner != nullptr) return conditional_of(params.conditional, *owner);
      throw Failure{cudaErrorInvalidValue, "a conditional node stays as it was made"};
    default:
      throw Failure{cudaErrorInvalidValue, "unknown kind of node"};
  }
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                             const cudaGraphNode_t* before, const cudaGraphEdgeData*, size_t count,
                             cudaGraphNodeParams* params) {
  return call_without_device("cudaGraphAddNode", [&] {
    given(params);
    add_node(node, graph, before, count, generic(*params, &find_graph(graph)));
  });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params) {
  return call_without_device("cudaGraphNodeSetParams", [&] {
    given(params);
    Work work = generic(*params, nullptr);
    Node& target = find_node(node);
    if (target.work.index() != work.index()) {
      throw Failure{cudaErrorInvalidValue, "the node is of another kind"};
    }
    prepare(work);
    target.work = std::move(work);
  });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* params) {
  return call_without_device("cudaGraphExecNodeSetParams", [&] {
    given(params);
    set_work(exec, node, generic(*params, nullptr));
  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* before, size_t count,
                                   const cudaMemcpy3DParms* params) {
  return call_without_device("cudaGraphAddMemcpyNode",
                             [&] { add_node(node, graph, before, count, given_copy(params)); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* before, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  return call_after_fault("cudaGraphAddMemcpyNode1D", [&] {
    add_node(node, graph, before, count, plain_copy(to, from, bytes, kind));
  });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* params) {
  return call_without_device("cudaGraphMemcpyNodeGetParams", [&] {
    given(params);
    *params = params_of(work_of<Copy>(node));
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* params) {
  return call_without_device("cudaGraphMemcpyNodeSetParams", [&] {
    find_node(node);
    set_node(node, given_copy(params));
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
  return call_after_fault("cudaGraphMemcpyNodeSetParams1D", [&] {
    find_node(node);
    set_node(node, plain_copy(to, from, bytes, kind));
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* params) {
  return call_without_device("cudaGraphExecMemcpyNodeSetParams",
                             [&] { set_work(exec, node, given_copy(params)); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  return call_after_fault("cudaGraphExecMemcpyNodeSetParams1D",
                          [&] { set_work(exec, node, plain_copy(to, from, bytes, kind)); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* before, size_t count,
                                   const cudaMemsetParams* params) {
  return call_without_device("cudaGraphAddMemsetNode",
                             [&] { add_node(node, graph, before, count, given_fill(params)); });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* params) {
  return call_without_device("cudaGraphMemsetNodeGetParams", [&] {
    given(params);
    const Fill& work = work_of<Fill>(node);
    *params = {work.to, work.pitch, work.value, work.element_bytes, work.width, work.rows};
  });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* params) {
  return call_after_fault("cudaGraphMemsetNodeSetParams", [&] {
    find_node(node);
    set_node(node, given_fill(params));
  });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* params) {
  return call_without_device("cudaGraphExecMemsetNodeSetParams",
                             [&] { set_work(exec, node, given_fill(params)); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* before, size_t count,
                                 const cudaHostNodeParams* params) {
  return call_without_device("cudaGraphAddHostNode", [&] {
    add_node(node, graph, before, count, HostWork{given(params).fn, params->userData});
  });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* params) {
  return call_without_device("cudaGraphHostNodeGetParams", [&] {
    given(params);
    const HostWork& work = work_of<HostWork>(node);
    *params = {work.function, work.data};
  });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* params) {
  return call_without_device("cudaGraphHostNodeSetParams", [&] {
    set_node(node, HostWork{given(params).fn, params->userData});
  });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* params) {
  return call_without_device("cudaGraphExecHostNodeSetParams", [&] {
    set_work(exec, node, HostWork{given(params).fn, params->userData});
  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* before, size_t count,
                                       cudaGraph_t child) {
  return call_after_fault("cudaGraphAddChildGraphNode",
                          [&] { add_node(node, graph, before, count, child_of(child)); });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return call_after_fault("cudaGraphChildGraphNodeGetGraph", [&] {
    given(graph);
    *graph = reinterpret_cast<cudaGraph_t>(work_of<ChildWork>(node).graph.get());
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* before, size_t count) {
  return call_after_fault("cudaGraphAddEmptyNode",
                          [&] { add_node(node, graph, before, count, EmptyWork{}); });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* before, size_t count,
                                        cudaEvent_t event) {
  return call_without_device("cudaGraphAddEventRecordNode", [&] {
    add_node(node, graph, before, count, RecordWork{handle(event)});
  });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return call_without_device("cudaGraphEventRecordNodeGetEvent", [&] {
    given(event);
    *event = work_of<RecordWork>(node).event;
  });
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return call_without_device("cudaGraphEventRecordNodeSetEvent",
                             [&] { set_node(node, RecordWork{handle(event)}); });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return call_without_device("cudaGraphExecEventRecordNodeSetEvent",
                             [&] { set_work(exec, node, RecordWork{handle(event)}); });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* before, size_t count,
                                      cudaEvent_t event) {
  return call_without_device("cudaGraphAddEventWaitNode", [&] {
    add_node(node, graph, before, count, WaitWork{handle(event)});
  });
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return call_without_device("cudaGraphEventWaitNodeGetEvent", [&] {
    given(event);
    *event = work_of<WaitWork>(node).event;
  });
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return call_without_device("cudaGraphEventWaitNodeSetEvent",
                             [&] { set_node(node, WaitWork{handle(event)}); });
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return call_without_device("cudaGraphExecEventWaitNodeSetEvent",
                             [&] { set_work(exec, node, WaitWork{handle(event)}); });
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* before, size_t count,
                                     cudaMemAllocNodeParams* params) {
  return call_without_device("cudaGraphAddMemAllocNode", [&] {
    given(params);
    add_node(node, graph, before, count, alloc_of(*params));
  });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* params) {
  return call_without_device("cudaGraphMemAllocNodeGetParams", [&] {
    given(params);
    *params = work_of<AllocWork>(node).params;
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* before, size_t count, void* pointer) {
  return call_after_fault("cudaGraphAddMemFreeNode", [&] {
    add_node(node, graph, before, count, free_of(pointer, &find_graph(graph)));
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return call_without_device("cudaGraphMemFreeNodeGetParams", [&] {
    given(pointer);
    *static_cast<void**>(pointer) = work_of<FreeWork>(node).pointer;
  });
}
}
