#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>

#include "simulator/cudart/graphs/graph.h"
#include "simulator/cudart/launch/launch.h"
#include "simulator/cudart/launch/submit.h"
#include "simulator/cudart/launch/work.h"

namespace warpwise::cudart {

/// Adds a node with that work to a graph, after others. @param node gets its handle.
/// @throws Failure where a handle is none, or the work cannot be done.
void add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
              std::size_t count, Work work);

/// Replaces the work of a node with other work of the same kind.
template <typename Kind>
void set_node(cudaGraphNode_t node, Kind work) {
  Kind& target = work_of<Kind>(node);
  prepare(Work{work});
  target = std::move(work);
}

/// The kernel that parameters describe, those of either version.
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

}  // namespace warpwise::cudart
