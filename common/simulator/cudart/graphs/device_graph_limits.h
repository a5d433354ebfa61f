#pragma once
#include <cuda_runtime_api.h>

#include <optional>
#include <string>

#include "simulator/cudart/graphs/graph.h"

/// Checks the nodes of a graph that kernels launch.
namespace warpwise::cudart {

/// The reason why such a graph cannot have a node that does this; nothing where it can.
struct NotForDevice {
  std::string why;
  cudaGraphInstantiateResult result = cudaGraphInstantiateNodeOperationNotSupported;
};
std::optional<NotForDevice> not_for_device(const Work& work);

/// @throws InstantiationFailure where the device cannot start the graph or a node of it.
void check_for_device(const Graph& graph);

}  // namespace warpwise::cudart
