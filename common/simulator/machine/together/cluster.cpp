#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simulator/machine/warp/lanes.h"
#include "simulator/machine/worker.h"

/// Clusters: the barrier of their blocks, and whose shared memory an address names.
namespace warpwise::machine {
namespace {

constexpr std::uint64_t offset_mask = (1ull << code::shared_rank_shift) - 1;

}  // namespace

void Worker::cluster_arrive(std::uint32_t mask) {
  if (std::uint32_t twice = mask & warp_->cluster_arrived)
    fault(finding("barrier-divergence",
                  fmt::format("thread {} arrives at the cluster's barrier a second time without "
                              "having waited for the first. Pair each arrive with one wait.",
                              thread_text(warp_index_ * 32 + std::countr_zero(twice))),
                  static_cast<unsigned>(std::countr_zero(twice))));
  warp_->cluster_arrived |= mask;
  warp_->cluster_held |= mask;
}

bool Worker::cluster_wait(Group& group, std::uint32_t mask) {
  if (std::uint32_t never = mask & ~warp_->cluster_arrived)
    fault(finding("barrier-divergence",
                  fmt::format("thread {} waits for the cluster's barrier without having arrived at "
                              "it. Pair each wait with one arrive before it.",
                              thread_text(warp_index_ * 32 + std::countr_zero(never))),
                  static_cast<unsigned>(std::countr_zero(never))));
  if ((warp_->cluster_held & mask) == 0) {
    warp_->cluster_arrived &= ~mask;
    return true;
  }
  Group behind = group;
  behind.mask = group.mask & ~mask;
  ++behind.pc;
  group.mask = mask;
  group.state = Group::State::at_cluster_barrier;
  if (behind.mask) warp_->groups.push_back(behind);
  return false;
}

/// Lets all go on where every live thread of the cluster has arrived.
bool Worker::complete_cluster_barrier() {
  bool any = false;
  for (const Block* block : block_->cluster->blocks) {
    if (!block) continue;
    for (const Warp& warp : block->warps) {
      if (warp.cluster_held != warp.live) return false;
      any |= warp.cluster_held != 0;
    }
  }
  if (!any) return false;
  std::vector<watch::HappensBefore*> met;
  for (Block* block : block_->cluster->blocks) {
    if (!block) continue;
    for (Warp& warp : block->warps) {
      warp.cluster_held = 0;
      for (Group& group : warp.groups) {
        if (group.state != Group::State::at_cluster_barrier) continue;
        warp.cluster_arrived &= ~group.mask;
        group.state = Group::State::ready;
        ++group.pc;
      }
    }
    if (block->order) met.push_back(&*block->order);
    block->reached.reset();
  }
  watch::HappensBefore::meet(met);
  counters_.barrier();
  ++changes_;
  return true;
}

void Worker::leave_cluster(Block& block) {
  if (block.reached) diagnoses_.report(*block.reached);
  block.reached.reset();
  for (Block*& member : block.cluster->blocks)
    if (member == &block) member = nullptr;
  complete_cluster_barrier();
}

void Worker::map_shared(const code::Operation& operation, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    std::uint64_t address = lane_value(operation.s[0], lane);
    std::uint64_t rank = lane_value(operation.s[1], lane);
    if (rank >= grid_.cluster_blocks)
      fault(finding("out-of-bounds",
                    fmt::format("thread {} asks for the shared memory of block {} of its cluster, "
                                "which has {} blocks.",
                                thread_text(warp_index_ * 32 + lane), rank, grid_.cluster_blocks),
                    lane));
    std::uint64_t window = address & ~0xffffffffull;
    std::uint64_t name = rank == rank_in_cluster(*block_) ? 0 : rank + 1;
    set_lane(operation.d, lane, window | name << code::shared_rank_shift | (address & offset_mask));
  });
}

void Worker::shared_rank(const code::Operation& operation, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    std::uint64_t named =
        (lane_value(operation.s[0], lane) & 0xffffffff) >> code::shared_rank_shift;
    set_lane(operation.d, lane, named ? named - 1 : rank_in_cluster(*block_));
  });
}

/// True where some address is of the memory of a block of the cluster, by its rank. A block's own
/// memory is not named so.
bool Worker::names_block(std::uint32_t lanes, const std::uint64_t* addresses) const {
  if (grid_.cluster_blocks == 1) return false;
  bool any = false;
  for_lanes(lanes, [&](unsigned lane) {
    any |= (addresses[lane] >> code::shared_rank_shift) - 1 < grid_.cluster_blocks;
  });
  return any;
}

/// Remembers that the block must not end before the cluster has met again.
void Worker::note_reach(Block& owner, std::uint32_t lanes) {
  if (&owner == block_ || owner.reached) return;
  auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  owner.reached = finding(
      "use-after-free",
      fmt::format("thread {} accesses shared memory of block {} of its cluster, which ends without "
                  "waiting for it. Let all blocks wait at cluster.sync() before one returns.",
                  thread_text(warp_index_ * 32 + lane), rank_in_cluster(owner)),
      lane);
}

/// The block whose shared memory the lanes' addresses name; takes the name out of the addresses.
/// @param lanes in: of the access; out: those that name the same block as the first.
Block& Worker::named_block(const char* verb, std::uint32_t& lanes, std::uint64_t* addresses) {
  auto first = static_cast<unsigned>(std::countr_zero(lanes));
  const std::uint64_t name = addresses[first] >> code::shared_rank_shift;
  std::uint32_t same = 0;
  for_lanes(lanes, [&](unsigned lane) {
    if (addresses[lane] >> code::shared_rank_shift != name) return;
    same |= 1u << lane;
    addresses[lane] &= offset_mask;
  });
  lanes = same;
  if (name == 0) return *block_;
  if (name > grid_.cluster_blocks)
    fault(finding(
        "out-of-bounds",
        fmt::format("thread {} {} shared memory at address 0x{:x}, which belongs to no "
                    "block of its cluster of {}.",
                    thread_text(warp_index_ * 32 + first), verb,
                    name << code::shared_rank_shift | addresses[first], grid_.cluster_blocks),
        first));
  Block* block = block_->cluster->blocks[name - 1];
  if (!block)
    fault(finding("use-after-free",
                  fmt::format("thread {} {} shared memory of block {} of its cluster, which has "
                              "ended. Let all blocks wait at cluster.sync() before one returns.",
                              thread_text(warp_index_ * 32 + first), verb, name - 1),
                  first));
  return *block;
}

std::uint64_t Worker::rank_in_cluster(const Block& block) const {
  const std::vector<Block*>& blocks = block.cluster->blocks;
  return static_cast<std::uint64_t>(std::find(blocks.begin(), blocks.end(), &block) -
                                    blocks.begin());
}

}  // namespace warpwise::machine
