#include "simulator/cudart/launch/launch_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

constexpr std::uint64_t largest_grid_x = (1ull << 31) - 1;
constexpr std::uint64_t largest_grid_yz = 65535;
constexpr unsigned largest_block_z = 64;
constexpr const char* configuration = "launch-configuration";

std::string shape(const dim3& size) { return fmt::format("({}, {}, {})", size.x, size.y, size.z); }

void check_resources(const KernelWork& request, const FoundKernel& found) {
  const dim3& block = request.block;
  const auto threads = static_cast<int>(block.x * block.y * block.z);
  const watch::Index3& required = found.info.required_block;
  if (required[0] != 0 && required != watch::Index3{block.x, block.y, block.z}) {
    throw Failure{cudaErrorInvalidValue,
                  fmt::format("the block is {}, but __block_size__ of {} promises the compiler {}",
                              shape(block), machine::readable_name(found.kernel.name),
                              shape(dim3(required[0], required[1], required[2]))),
                  configuration};
  }
  if (threads > static_cast<int>(found.info.max_threads_per_block)) {
    throw Failure{cudaErrorInvalidValue,
                  fmt::format("the block has {} threads, but __launch_bounds__ of {} promises the "
                              "compiler at most {}",
                              threads, machine::readable_name(found.kernel.name),
                              found.info.max_threads_per_block),
                  configuration};
  }
  if (threads > most_threads_per_block(found.info)) {
    throw Failure{
        cudaErrorLaunchOutOfResources,
        fmt::format("{} threads of {} registers are more than the {} registers a block may "
                    "have",
                    threads, found.info.registers, runtime().gpu.registers_per_block),
        configuration};
  }
  const int most = most_dynamic_shared(found.kernel, found.info);
  if (request.shared_bytes > static_cast<std::size_t>(most)) {
    throw Failure{
        cudaErrorInvalidValue,
        fmt::format("{} bytes of dynamic shared memory in addition to {} static ones; this kernel "
                    "may ask for {} (raise it with cudaFuncSetAttribute, up to {} in all "
                    "on this GPU)",
                    request.shared_bytes, found.info.static_shared_bytes, most,
                    runtime().gpu.shared_bytes_per_block_max),
        configuration};
  }
}

/// The clusters that a launch asks for. An impossible cluster is a mistake in a launch, but not in
/// a query.
dim3 asked_cluster(const FoundKernel& found, const LaunchAttributes& attributes) {
  try {
    return cluster_of(found, attributes);
  } catch (Failure& failure) {
    failure.kind = configuration;
    throw;
  }
}

/// Checks how the blocks of the grid belong together.
void check_cluster(const KernelWork& work, const dim3& cluster) {
  const dim3& grid = work.grid;
  if (grid.x % cluster.x == 0 && grid.y % cluster.y == 0 && grid.z % cluster.z == 0) return;
  throw Failure{cudaErrorInvalidClusterSize,
                fmt::format("the grid {} is not a whole number of clusters of {} blocks",
                            shape(grid), shape(cluster)),
                configuration};
}

/// Blocks that wait for each other have to be resident together.
void check_cooperation(const KernelWork& work, const FoundKernel& found) {
  const std::uint64_t blocks = std::uint64_t{work.grid.x} * work.grid.y * work.grid.z;
  const int per_sm = blocks_per_sm(work, found);
  const std::uint64_t most = static_cast<std::uint64_t>(per_sm) * runtime().gpu.sms;
  if (blocks <= most) return;
  throw Failure{
      cudaErrorCooperativeLaunchTooLarge,
      fmt::format("{} blocks cannot wait for each other: {} SMs hold {} each, {} together; "
                  "let each block do more",
                  blocks, runtime().gpu.sms, per_sm, most),
      configuration};
}

/// @throws Failure for attributes that launches do not have and for invalid values.
void check_attributes(const LaunchAttributes& attributes) {
  for (const auto& [id, value] : attributes) {
    const bool wrong =
        id > cudaLaunchAttributePreferredSharedMemoryCarveout ||
        id == cudaLaunchAttributeSynchronizationPolicy ||
        (id == cudaLaunchAttributeMemSyncDomain &&
         value.memSyncDomain > cudaLaunchMemSyncDomainRemote) ||
        (id == cudaLaunchAttributePreferredSharedMemoryCarveout && value.sharedMemCarveout > 100);
    if (wrong) {
      throw Failure{
          cudaErrorInvalidValue,
          fmt::format("a launch cannot have attribute {} with this value", static_cast<int>(id)),
          configuration};
    }
  }
}

}  // namespace

int blocks_per_sm(const KernelWork& work, const FoundKernel& found) {
  const auto threads = static_cast<int>(work.block.x * work.block.y * work.block.z);
  return resident_blocks(found, threads, work.shared_bytes);
}

bool is_cooperative(const LaunchAttributes& attributes) {
  const auto entry = attributes.find(cudaLaunchAttributeCooperative);
  return entry != attributes.end() && entry->second.cooperative != 0;
}

int most_threads_per_block(const machine::KernelInfo& info) {
  const occupancy::Gpu& gpu = runtime().gpu;
  int most = std::min(gpu.threads_per_block, static_cast<int>(info.max_threads_per_block));
  if (info.registers == 0) return most;
  const int warp_registers = static_cast<int>(info.registers) * occupancy::warp_size;
  const int rounded =
      (warp_registers + gpu.register_unit - 1) / gpu.register_unit * gpu.register_unit;
  const int warps = gpu.registers_per_block / rounded / gpu.warp_unit * gpu.warp_unit;
  return std::min(most, warps * occupancy::warp_size);
}

int most_dynamic_shared(const Kernel& kernel, const machine::KernelInfo& info) {
  if (kernel.max_dynamic_shared >= 0) return kernel.max_dynamic_shared;
  return std::max(
      0, runtime().gpu.shared_bytes_per_block - static_cast<int>(info.static_shared_bytes));
}

const watch::Index3& required_cluster(const FoundKernel& found) {
  const bool set = found.kernel.required_cluster[0] != 0;
  return set ? found.kernel.required_cluster : found.info.required_cluster;
}

dim3 cluster_of(const FoundKernel& found, const LaunchAttributes& attributes) {
  constexpr unsigned portable = 8, largest = 16;
  const watch::Index3& required = required_cluster(found);
  const auto entry = attributes.find(cudaLaunchAttributeClusterDimension);
  dim3 cluster(std::max(1u, required[0]), std::max(1u, required[1]), std::max(1u, required[2]));
  // The size in __cluster_dims__ holds by itself; each launch must repeat the size from
  // cudaFuncSetAttribute.
  if (entry == attributes.end() && found.kernel.required_cluster[0] != 0) {
    throw Failure{
        cudaErrorInvalidClusterSize,
        fmt::format("cudaFuncSetAttribute requires clusters of {} blocks, and the launch "
                    "has no cluster attribute; give it cudaLaunchAttributeClusterDimension",
                    shape(cluster))};
  }
  if (entry != attributes.end()) {
    const auto& asked = entry->second.clusterDim;
    const dim3 given(asked.x, asked.y, asked.z);
    const bool other = given.x != cluster.x || given.y != cluster.y || given.z != cluster.z;
    if (required[0] != 0 && other) {
      throw Failure{
          cudaErrorInvalidClusterSize,
          fmt::format("the launch asks for clusters of {} blocks, but the kernel needs {} "
                      "(__cluster_dims__, or cudaFuncSetAttribute)",
                      shape(given), shape(cluster))};
    }
    cluster = given;
  }
  const std::uint64_t blocks = std::uint64_t{cluster.x} * cluster.y * cluster.z;
  const unsigned most = found.kernel.large_clusters ? largest : portable;
  if (blocks == 0 || blocks > most) {
    throw Failure{cudaErrorInvalidClusterSize,
                  fmt::format("a cluster of {} has {} blocks; it may have 1 to {}{}",
                              shape(cluster), blocks, most,
                              most == portable ? " (16 after cudaFuncSetAttribute with "
                                                 "cudaFuncAttributeNonPortableClusterSizeAllowed)"
                                               : "")};
  }
  return cluster;
}

void check_shape(const KernelWork& request) {
  // The code of an H200 with CUDA 13.0; older runtimes returned cudaErrorInvalidConfiguration.
  const auto refuse = [](std::string why) {
    throw Failure{cudaErrorInvalidValue, std::move(why), configuration};
  };
  const dim3 &grid = request.grid, &block = request.block;
  const unsigned most = static_cast<unsigned>(runtime().gpu.threads_per_block);
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
    refuse(
        fmt::format("the grid {} has no blocks; was a quotient rounded down to 0?", shape(grid)));
  }
  if (block.x == 0 || block.y == 0 || block.z == 0) {
    refuse(fmt::format("the block {} has no threads", shape(block)));
  }
  if (grid.x > largest_grid_x || grid.y > largest_grid_yz || grid.z > largest_grid_yz) {
    refuse(fmt::format("the grid {} passes its limits of {} x {} x {} blocks", shape(grid),
                       largest_grid_x, largest_grid_yz, largest_grid_yz));
  }
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (block.x > most || block.y > most || block.z > largest_block_z || threads > most) {
    refuse(fmt::format("the block {} has {} threads; a block may have {}, and {} in z",
                       shape(block), threads, most, largest_block_z));
  }
}

bool is_shaped(const machine::KernelInfo& info) {
  return info.required_block[0] != 0 || info.grid_counts_clusters;
}

KernelWork shaped(KernelWork work, const machine::KernelInfo& info) {
  const watch::Index3 &block = info.required_block, &cluster = info.required_cluster;
  // Parts omitted from <<<grid>>> are (1, 1, 1).
  if (block[0] != 0 && work.block.x * work.block.y * work.block.z == 1)
    work.block = dim3(block[0], block[1], block[2]);
  if (info.grid_counts_clusters && cluster[0] != 0)
    work.grid = dim3(work.grid.x * cluster[0], work.grid.y * cluster[1], work.grid.z * cluster[2]);
  return work;
}

void check_launch(const KernelWork& work, const FoundKernel& found) {
  check_shape(work);
  check_resources(work, found);
  check_cluster(work, asked_cluster(found, work.attributes));
  if (is_cooperative(work.attributes)) check_cooperation(work, found);
  check_attributes(work.attributes);
}

}  // namespace warpwise::cudart
