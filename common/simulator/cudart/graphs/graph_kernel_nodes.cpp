#include <cuda_runtime_api.h>

#include "simulator/cudart/graphs/graph_exec.h"
#include "simulator/cudart/graphs/graph_node_work.h"
#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

// Nodes of kernels: their parameters, and the attributes of their launches.
namespace warpwise::cudart {
namespace {

/// Refuses attributes that a kernel node cannot have.
void check_attribute(cudaLaunchAttributeID id) {
  if (id <= cudaLaunchAttributeIgnore || id > cudaLaunchAttributeNvlinkUtilCentricScheduling)
    throw Failure{cudaErrorInvalidValue, "a kernel's node has no such attribute"};
}

/// The node's new kernel work; its attributes stay.
KernelWork changed_kernel(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
  KernelWork work = kernel_of(given(params));
  need_device();
  work.attributes = work_of<KernelWork>(node).attributes;
  return work;
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* before, size_t count,
                                   const cudaKernelNodeParams* params) {
  return call_without_device("cudaGraphAddKernelNode", [&] {
    KernelWork work = kernel_of(given(params));
    need_device();
    add_node(node, graph, before, count, std::move(work));
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
                             [&] { set_node(node, changed_kernel(node, params)); });
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
    set_node(node, std::move(changed));
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t from, cudaGraphNode_t to) {
  return call_after_fault("cudaGraphKernelNodeCopyAttributes", [&] {
    KernelWork changed = work_of<KernelWork>(to);
    changed.attributes = work_of<KernelWork>(from).attributes;
    set_node(to, std::move(changed));
  });
}

}  // extern "C"
