#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "simulator/cudart/launch/work.h"

/// Memory that nodes of graphs allocate. Its address is known once the node is made, and stays. A
/// launch takes the memory; a node, cudaFreeAsync or cudaFree gives it back to the graph.
namespace warpwise::cudart {

class GraphMemory {
 public:
  /// @throws Failure cudaErrorMemoryAllocation.
  explicit GraphMemory(std::uint64_t bytes);
  /// Takes over memory that was allocated for a captured node.
  GraphMemory(std::uint64_t base, std::uint64_t bytes);
  /// Memory that is still taken lives on like any other allocation of the program.
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  std::uint64_t base() const { return base_; }

 private:
  std::uint64_t base_;
};

/// Takes and gives back the memory of a launch of an instance with this work, in its order.
/// @param stream the number of the launch's stream. Launches in one stream come one after another,
/// so the memory of different graphs can have the same place on the device.
/// @param frees_itself memory that an earlier launch took and left unfreed is free again.
/// @throws Failure cudaErrorInvalidValue where such memory is left.
void launch_graph_memory(const std::vector<const Work*>& all, std::uint64_t stream,
                         bool frees_itself);

/// The program frees memory. @return false where no graph allocates it.
/// @param stream whose work so far may still use it; null: none may.
/// @throws Failure cudaErrorInvalidValue where it is free.
bool free_graph_memory(std::uint64_t base, Stream* stream);

/// True for memory that a node of any graph allocates.
bool is_graph_memory(std::uint64_t base);

/// The work of a node when its turn comes.
Step prepare(const AllocWork& work);
Step prepare(const FreeWork& work);

}  // namespace warpwise::cudart
