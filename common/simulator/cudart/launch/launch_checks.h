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

/// Threads that a block of the kernel may have: its launch bounds, the GPU's limit, its registers.
int most_threads_per_block(const machine::KernelInfo& info);

/// Blocks of the kernel that one SM holds at the same time; 0 where a block does not fit.
/// @throws Failure for a block without threads.
int resident_blocks(const FoundKernel& found, int threads, std::size_t dynamic_bytes);

/// Blocks of a cluster in each dimension: what the launch says, else what the kernel was compiled
/// for, else 1. @throws Failure cudaErrorInvalidClusterSize where that is not possible.
dim3 cluster_of(const FoundKernel& found, const LaunchAttributes& attributes);

/// Blocks of a cluster that the kernel asks for, by cudaFuncSetAttribute or since it was compiled;
/// all 0 where it does not.
const watch::Index3& required_cluster(const FoundKernel& found);

/// Bytes of dynamic shared memory that a launch of the kernel may ask for.
int most_dynamic_shared(const Kernel& kernel, const machine::KernelInfo& info);

}  // namespace warpwise::cudart
