#include "simulator/cudart/device_graph_limits.h"

#include <string>

#include "simulator/cudart/array.h"
#include "simulator/cudart/copy_sides.h"
#include "simulator/cudart/host_memory.h"
#include "simulator/cudart/registry.h"

namespace warpwise::cudart {
namespace {

[[noreturn]] void refuse(
    Node* node, const std::string& why,
    cudaGraphInstantiateResult result = cudaGraphInstantiateNodeOperationNotSupported) {
  throw InstantiationFailure{
      {cudaErrorInvalidValue, "a graph that kernels launch " + why}, result, node};
}

bool is_pageable(const Side& side) {
  return side.allocation == nullptr && !is_page_locked(reinterpret_cast<void*>(side.address));
}

void check_node(Node* node) {
  if (const auto* child = std::get_if<ChildWork>(&node->work)) {
    for (const auto& inside : child->graph->nodes) check_node(inside.get());
  } else if (const auto* kernel = std::get_if<KernelWork>(&node->work)) {
    if (!may_be_on_device(*kernel))
      refuse(node,
             "has no kernels that launch others or call the device's runtime, not even "
             "cudaGetLastError()");
  } else if (const auto* copy = std::get_if<Copy>(&node->work)) {
    if (is_array_memory(copy->to) || is_array_memory(copy->from))
      refuse(node, "copies no CUDA arrays");
    const Sides sides = sides_of(*copy);
    if (is_pageable(sides.to) || is_pageable(sides.from))
      refuse(node, "copies from and to memory of the device and page-locked memory alone",
             cudaGraphInstantiateMultipleDevicesNotSupported);
  } else if (!std::holds_alternative<Fill>(node->work)) {
    refuse(node, "has kernels, copies, fills and graphs of those as nodes, and no others");
  }
}

}  // namespace

bool may_be_on_device(const KernelWork& work) {
  const FoundKernel found = find_kernel(work.function);
  return !found.kernel.image->module().uses_device_runtime(found.kernel.name);
}

void check_for_device(const Graph& graph) {
  if (graph.nodes.empty()) refuse(nullptr, "has nodes", cudaGraphInstantiateError);
  for (const auto& node : graph.nodes) check_node(node.get());
}

}  // namespace warpwise::cudart
