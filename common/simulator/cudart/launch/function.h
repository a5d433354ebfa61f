#pragma once
#include <cuda_runtime_api.h>

#include "simulator/cudart/launch/registry.h"

namespace warpwise::cudart {

/// What cudaFuncGetAttributes says of the kernel.
cudaFuncAttributes function_attributes(const FoundKernel& found);

}  // namespace warpwise::cudart
