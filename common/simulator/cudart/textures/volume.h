#pragma once
#include <cuda_runtime_api.h>

#include "simulator/cudart/launch/work.h"

namespace warpwise::cudart {

/// The parameters of cudaMemcpy3D as a copy.
/// @throws Failure cudaErrorInvalidValue, cudaErrorInvalidPitchValue.
Copy copy_of(const cudaMemcpy3DParms& params);

/// The same copy as parameters.
cudaMemcpy3DParms params_of(const Copy& copy);

}  // namespace warpwise::cudart
