#pragma once
#include <string>

#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/launch/work.h"

/// Launches that the runtime refuses, and why.
namespace warpwise::cudart {

/// Grid and block against the GPU's limits. @throws Failure.
void check_shape(const KernelWork& work);

/// True for a kernel whose launches are shaped().
bool is_shaped(const machine::KernelInfo& info);
/// The launch with the block size that the kernel itself declares (__block_size__), and with its
/// grid in blocks where the kernel counts it in clusters.
KernelWork shaped(KernelWork work, const machine::KernelInfo& info);

/// Checks everything that can be wrong with a launch. @throws Failure with the real runtime's code
/// and a sentence that names the exceeded limit.
void check_launch(const KernelWork& work, const FoundKernel& found);

/// Blocks of the launch that one SM holds at the same time.
int blocks_per_sm(const KernelWork& work, const FoundKernel& found);

bool is_cooperative(const LaunchAttributes& attributes);

}  // namespace warpwise::cudart
