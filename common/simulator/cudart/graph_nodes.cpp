#include <cuda_runtime_api.h>

#include <cstring>
#include <vector>

#include "simulator/cudart/conditional.h"
#include "simulator/cudart/copy_sides.h"
#include "simulator/cudart/error.h"
#include "simulator/cudart/graph_exec.h"
#include "simulator/cudart/graph_memory.h"
#include "simulator/cudart/launch.h"
#include "simulator/cudart/registry.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/volume.h"

// What the nodes of a graph do: adding them, asking about them, changing them, in a graph and in an
// instantiated one. Each kind has one function that turns the program's parameters into work.
namespace warpwise::cudart {
namespace {

/// Those that a node of a kernel can have.
void check_attribute(cudaLaunchAttributeID id) {
  if (id <= cudaLaunchAttributeIgnore || id > cudaLaunchAttributeNvlinkUtilCentricScheduling)
    throw Failure{cudaErrorInvalidValue, "a kernel's node has no such attribute"};
}

cudaEvent_t handle(cudaEvent_t event) { return &given(event); }

void add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before, std::size_t count,
         Work work) {
  need_context();
  Graph& owner = find_graph(graph);
  given(node);
  const std::vector<Node*> earlier = find_nodes(before, count, owner);
  prepare(work);
  *node = handle_of(owner.add(std::move(work), earlier));
}

/// Replaces the work of a node by other work of the same kind.
template <typename Kind>
void set(cudaGraphNode_t node, Kind work) {
  Kind& target = work_of<Kind>(node);
  prepare(Work{work});
  target = std::move(work);
}

template <typename Params>
KernelWork kernel_of(const Params& params) {
  return kernel_work({params.func,
                      dim3(params.gridDim.x, params.gridDim.y, params.gridDim.z),
                      dim3(params.blockDim.x, params.blockDim.y, params.blockDim.z),
                      params.kernelParams,
                      params.sharedMemBytes,
                      nullptr,
                      {}});
}

/// What the node's kernel becomes: its attributes stay.
KernelWork changed_kernel(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
  KernelWork work = kernel_of(given(params));
  need_device();
  work.attributes = work_of<KernelWork>(node).attributes;
  return work;
}

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
    throw Failure{cudaErrorInvalidMemcpyDirection, "there is no such direction", "invalid-copy"};
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

/// The work that cudaGraphAddNode and its kin describe.
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
      throw Failure{cudaErrorInvalidValue, "there is no such kind of node"};
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
    add(node, graph, before, count, generic(*params, &find_graph(graph)));
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

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* before, size_t count,
                                   const cudaKernelNodeParams* params) {
  return call_without_device("cudaGraphAddKernelNode", [&] {
    KernelWork work = kernel_of(given(params));
    need_device();
    add(node, graph, before, count, std::move(work));
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* params) {
  return call_without_device("cudaGraphKernelNodeGetParams", [&] {
    given(params);
    KernelWork& work = work_of<KernelWork>(node);
    Node& owner = find_node(node);
    owner.pointers.clear();
    const FoundKernel found = find_kernel(work.function);
    for (const auto& parameter : found.info.parameters) {
      owner.pointers.push_back(work.arguments.data() + parameter.offset);
    }
    *params = {};
    // Launches name the handle; programs compare with their own function.
    const void* const function = registry().host_function(found.kernel);
    params->func = const_cast<void*>(function != nullptr ? function : work.function);
    params->gridDim = work.grid;
    params->blockDim = work.block;
    params->sharedMemBytes = static_cast<unsigned>(work.shared_bytes);
    params->kernelParams = owner.pointers.data();
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
  return call_without_device("cudaGraphKernelNodeSetParams",
                             [&] { set(node, changed_kernel(node, params)); });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* params) {
  return call_after_fault("cudaGraphExecKernelNodeSetParams",
                          [&] { set_work(exec, node, changed_kernel(node, params)); });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue* value) {
  return call_after_fault("cudaGraphKernelNodeGetAttribute", [&] {
    given(value);
    check_attribute(id);
    const LaunchAttributes& all = work_of<KernelWork>(node).attributes;
    const auto entry = all.find(id);
    *value = entry == all.end() ? cudaLaunchAttributeValue{} : entry->second;
  });
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue* value) {
  return call_without_device("cudaGraphKernelNodeSetAttribute", [&] {
    check_attribute(id);
    KernelWork changed = work_of<KernelWork>(node);
    changed.attributes[id] = given(value);
    need_device();
    set(node, std::move(changed));
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t from, cudaGraphNode_t to) {
  return call_after_fault("cudaGraphKernelNodeCopyAttributes", [&] {
    KernelWork changed = work_of<KernelWork>(to);
    changed.attributes = work_of<KernelWork>(from).attributes;
    set(to, std::move(changed));
  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* before, size_t count,
                                   const cudaMemcpy3DParms* params) {
  return call_without_device("cudaGraphAddMemcpyNode",
                             [&] { add(node, graph, before, count, given_copy(params)); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* before, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  return call_after_fault("cudaGraphAddMemcpyNode1D", [&] {
    add(node, graph, before, count, plain_copy(to, from, bytes, kind));
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
    set(node, given_copy(params));
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
  return call_after_fault("cudaGraphMemcpyNodeSetParams1D", [&] {
    find_node(node);
    set(node, plain_copy(to, from, bytes, kind));
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
                             [&] { add(node, graph, before, count, given_fill(params)); });
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
    set(node, given_fill(params));
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
    add(node, graph, before, count, HostWork{given(params).fn, params->userData});
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
    set(node, HostWork{given(params).fn, params->userData});
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
                          [&] { add(node, graph, before, count, child_of(child)); });
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
                          [&] { add(node, graph, before, count, EmptyWork{}); });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* before, size_t count,
                                        cudaEvent_t event) {
  return call_without_device("cudaGraphAddEventRecordNode",
                             [&] { add(node, graph, before, count, RecordWork{handle(event)}); });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return call_without_device("cudaGraphEventRecordNodeGetEvent", [&] {
    given(event);
    *event = work_of<RecordWork>(node).event;
  });
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return call_without_device("cudaGraphEventRecordNodeSetEvent",
                             [&] { set(node, RecordWork{handle(event)}); });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return call_without_device("cudaGraphExecEventRecordNodeSetEvent",
                             [&] { set_work(exec, node, RecordWork{handle(event)}); });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* before, size_t count,
                                      cudaEvent_t event) {
  return call_without_device("cudaGraphAddEventWaitNode",
                             [&] { add(node, graph, before, count, WaitWork{handle(event)}); });
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return call_without_device("cudaGraphEventWaitNodeGetEvent", [&] {
    given(event);
    *event = work_of<WaitWork>(node).event;
  });
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return call_without_device("cudaGraphEventWaitNodeSetEvent",
                             [&] { set(node, WaitWork{handle(event)}); });
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
    add(node, graph, before, count, alloc_of(*params));
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
    add(node, graph, before, count, free_of(pointer, &find_graph(graph)));
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return call_without_device("cudaGraphMemFreeNodeGetParams", [&] {
    given(pointer);
    *static_cast<void**>(pointer) = work_of<FreeWork>(node).pointer;
  });
}
}
