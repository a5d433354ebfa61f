#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/cudart/launch/work.h"

/// Nodes that run one of their own graphs, or one repeatedly, depending on a value.
namespace warpwise::cudart {

/// The value. Its handle is its device address, so that cudaGraphSetConditional() in a kernel is a
/// store.
class Condition {
 public:
  /// @param flags cudaGraphCondAssignDefault: a launch of the graph begins with `initial`.
  /// @throws Failure.
  Condition(unsigned initial, unsigned flags);
  ~Condition();
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  cudaGraphConditionalHandle handle() const { return address_; }
  unsigned value() const;
  /// What a launch of the graph does first.
  void begin() const;
  /// What it does last: afterwards, kernels cannot set the value, as on an H100.
  void end() const;

 private:
  std::uint64_t address_;
  unsigned initial_;
  bool assigned_;
};
using ConditionPtr = std::shared_ptr<Condition>;

/// The node that cudaGraphAddNode asks for, with new, empty graphs; returns the graphs to the
/// caller.
/// @throws Failure cudaErrorInvalidValue.
ConditionalWork conditional_of(cudaConditionalNodeParams& params, const Graph& owner);

/// @param graph an outermost one.
/// @throws InstantiationFailure where its conditions, or what its conditional nodes hold, do not
/// allow an instance.
void check_conditions(const Graph& graph);

/// @param bodies the whole work of each of the node's graphs.
Step conditional_step(const ConditionalWork& work, std::vector<std::function<void()>> bodies);

}  // namespace warpwise::cudart
