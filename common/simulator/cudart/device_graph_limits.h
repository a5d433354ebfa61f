#pragma once
#include <cuda_runtime_api.h>

#include "simulator/cudart/error.h"
#include "simulator/cudart/graph.h"

/// What a graph that kernels launch may hold.
namespace warpwise::cudart {

/// Why a graph cannot be instantiated.
struct InstantiationFailure : Failure {
  cudaGraphInstantiateResult result;
  Node* node;
};

/// @throws InstantiationFailure where it has nodes that the device cannot start.
void check_for_device(const Graph& graph);

/// True where such a graph may have a node that runs the kernel.
bool may_be_on_device(const KernelWork& work);

}  // namespace warpwise::cudart
