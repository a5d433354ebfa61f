#include "simulator/cudart/graphs/device_graph_limits.h"

#include "simulator/cudart/copies/copy_sides.h"
#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/memory/host_memory.h"
#include "simulator/cudart/textures/array.h"

namespace warpwise::cudart {
namespace {

std::optional<NotForDevice> refusal(const KernelWork& work) {
  const FoundKernel found = find_kernel(work.function);
  if (!found.kernel.image->module().uses_device_runtime(found.kernel.name)) return std::nullopt;
  return NotForDevice{
      "a graph that kernels launch has no kernels that launch kernels or call the device's "
      "runtime, not even cudaGetLastError()"};
}

std::optional<NotForDevice> refusal(const Copy& work) {
  if (is_array_memory(work.to) || is_array_memory(work.from))
    return NotForDevice{"a graph that kernels launch copies no CUDA arrays"};
  if (!touches_pageable(work)) return std::nullopt;
  return NotForDevice{
      "a graph that kernels launch copies from and to memory of the device and page-locked memory "
      "alone",
      cudaGraphInstantiateMultipleDevicesNotSupported};
}

std::optional<NotForDevice> refusal(const Fill& /*work*/) { return std::nullopt; }

/// The nodes of a child graph are checked separately.
std::optional<NotForDevice> refusal(const ChildWork& /*work*/) { return std::nullopt; }

template <typename Other>
std::optional<NotForDevice> refusal(const Other& /*work*/) {
  return NotForDevice{
      "a graph that kernels launch has kernels, copies, fills and graphs of those as nodes, and no "
      "others"};
}

void check_nodes(const Graph& graph) {
  for (const auto& node : graph.nodes) {
    if (const auto refused = not_for_device(node->work))
      throw InstantiationFailure{
          {cudaErrorInvalidValue, refused->why}, refused->result, node.get()};
    if (const auto* child = std::get_if<ChildWork>(&node->work)) check_nodes(*child->graph);
  }
}

}  // namespace

std::optional<NotForDevice> not_for_device(const Work& work) {
  return std::visit([](const auto& one) { return refusal(one); }, work);
}

void check_for_device(const Graph& graph) {
  if (graph.nodes.empty())
    throw InstantiationFailure{{cudaErrorInvalidValue, "a graph that kernels launch has nodes"},
                               cudaGraphInstantiateError,
                               nullptr};
  check_nodes(graph);
}

}  // namespace warpwise::cudart
