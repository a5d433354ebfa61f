#pragma once
#include <cuda_runtime_api.h>

#include "simulator/cudart/launch/work.h"

/// Work is checked, then issued to a stream or captured.
namespace warpwise::cudart {

/// Checks work as the call that asks for it does. @throws Failure with the real runtime's code.
Step prepare(const Work& work);
Step prepare(const KernelWork& work);
Step prepare(const Copy& work);
Step prepare(const Fill& work);

/// Issues work to a stream, or adds it to the graph that the stream is captured into.
/// @return the operation; null where it was captured.
OperationPtr submit(cudaStream_t stream, const Work& work);

/// Whether a launch lets the one behind it begin before it has ended.
bool lets_dependents_begin(const Launched& launch);

}  // namespace warpwise::cudart
