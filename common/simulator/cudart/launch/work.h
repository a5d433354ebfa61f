#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "simulator/cudart/queue/queue.h"

/// The work that a stream can be asked to do, as data: it runs in a stream, or waits as a node of a
/// graph.
namespace warpwise::cudart {

struct Event;
using EventPtr = std::shared_ptr<Event>;
struct Graph;
class Condition;
class GraphMemory;

using LaunchAttributes = std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>;

struct KernelWork {
  const void* function = nullptr;  ///< host function or kernel handle.
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  std::vector<std::byte> arguments;  ///< laid out as the kernel's parameters.
  LaunchAttributes attributes;
};

/// A copy of `slices` times `rows` rows of `width` bytes; a plain copy is one row.
struct Copy {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t width = 0;
  std::size_t rows = 1;
  std::size_t to_pitch = 0;  ///< bytes from row to row; used only where there are several.
  std::size_t from_pitch = 0;
  cudaMemcpyKind kind = cudaMemcpyDefault;
  std::size_t slices = 1;
  std::size_t to_slice = 0;  ///< bytes from slice to slice.
  std::size_t from_slice = 0;
  bool is_of_kernel = false;  ///< a kernel asks for it, so it can reach the heap of kernels
};

/// A fill of rows of `width` elements with the low bytes of the value.
struct Fill {
  void* to = nullptr;
  unsigned value = 0;
  std::size_t width = 0, rows = 1, pitch = 0;
  std::size_t slices = 1, slice = 0;
  unsigned element_bytes = 1;
};

struct HostWork {
  cudaHostFn_t function = nullptr;
  void* data = nullptr;
};
struct ChildWork {
  std::shared_ptr<Graph> graph;
};
struct EmptyWork {};
struct RecordWork {
  cudaEvent_t event = nullptr;
};
struct WaitWork {
  cudaEvent_t event = nullptr;
};
struct AllocWork {
  cudaMemAllocNodeParams params = {};
  std::shared_ptr<GraphMemory> memory;
};
struct FreeWork {
  void* pointer = nullptr;
};
struct ConditionalWork {
  std::shared_ptr<Condition> condition;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<std::shared_ptr<Graph>> bodies;
  std::shared_ptr<std::vector<cudaGraph_t>> handles;  ///< of the bodies, as the program sees them.
};

using Work = std::variant<KernelWork, Copy, Fill, HostWork, ChildWork, EmptyWork, RecordWork,
                          WaitWork, AllocWork, FreeWork, ConditionalWork>;

/// Checked work that can run on the device thread, any number of times.
struct Step {
  std::function<void()> run;    ///< does nothing after a fault.
  LaunchedPtr launch;           ///< of a kernel; else null.
  EventPtr records;             ///< the event that this is the record of.
  EventPtr waits_for;           ///< the event whose latest record comes before it.
  std::size_t stack_bytes = 0;  ///< that a kernel needs, if known: see make_stack_room().
  /// Unless it is a launch. Of a graph's copy as it was when checked.
  Does does = Does::nothing;
  int device = memory::current_device();  ///< that it runs on, as a node of a graph.
};

}  // namespace warpwise::cudart
