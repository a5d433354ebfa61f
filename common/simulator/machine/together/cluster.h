#pragma once
#include <cstdint>

#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// Clusters: the barrier of their blocks, and whose shared memory an address names.
class Clusters {
 public:
  explicit Clusters(RunnerState& here) : here_(here) {}

  /// The lanes arrive at the cluster's barrier. Faults where one has arrived and not waited.
  void arrive(std::uint32_t mask);
  /// The lanes wait at it. Faults where one has not arrived.
  /// @return false where the group has to wait.
  bool wait(Group& group, std::uint32_t mask);
  /// Lets all go on where every live thread of the cluster has arrived.
  bool complete_barrier();
  /// The block has ended.
  void leave(Block& block);

  /// mapa: the address of the same place in the shared memory of another block of the cluster.
  void map_shared(const code::Operation& operation, std::uint32_t mask);
  /// getctarank: the rank of the block whose shared memory the address names.
  void shared_rank(const code::Operation& operation, std::uint32_t mask);
  /// Remembers that the block must not end before the cluster has met again.
  void note_reach(Block& owner, std::uint32_t lanes);
  /// The block whose shared memory the lanes' addresses name; takes the name out of the addresses.
  /// Faults where no such block runs.
  /// @param lanes in: of the access; out: those that name the same block as the first.
  Block& named_block(const char* verb, std::uint32_t& lanes, std::uint64_t* addresses);

 private:
  std::uint64_t rank_in_cluster(const Block& block) const;

  RunnerState& here_;
};

}  // namespace warpwise::machine
