#pragma once
#include <string>

#include "simulator/cudart/registry.h"
#include "simulator/cudart/work.h"

/// What the runtime refuses to launch, and why.
namespace warpwise::cudart {

/// Grid and block against the GPU's limits. @throws Failure.
void check_shape(const KernelWork& work);

/// Everything that can be wrong with a launch. @throws Failure with the real runtime's code and a
/// sentence that says which limit was passed.
void check_launch(const KernelWork& work, const FoundKernel& found);

/// Blocks of the launch that one SM holds at the same time.
int blocks_per_sm(const KernelWork& work, const FoundKernel& found);

bool is_cooperative(const LaunchAttributes& attributes);

}  // namespace warpwise::cudart
