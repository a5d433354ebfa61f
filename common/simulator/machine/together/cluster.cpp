#include "simulator/machine/together/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

constexpr std::uint64_t offset_mask = (1ull << code::shared_rank_shift) - 1;

}  // namespace

void Clusters::arrive(std::uint32_t mask) {
  if (std::uint32_t twice = mask & here_.warp_->cluster_arrived)
    here_.fault(here_.finding(
        "barrier-divergence",
        fmt::format("thread {} arrives at the cluster's barrier a second time without "
                    "having waited for the first. Pair each arrive with one wait.",
                    here_.thread_text(here_.warp_index_ * 32 + std::countr_zero(twice))),
        static_cast<unsigned>(std::countr_zero(twice))));
  here_.warp_->cluster_arrived |= mask;
  here_.warp_->cluster_held |= mask;
}

bool Clusters::wait(Group& group, std::uint32_t mask) {
  if (std::uint32_t never = mask & ~here_.warp_->cluster_arrived)
    here_.fault(here_.finding(
        "barrier-divergence",
        fmt::format("thread {} waits for the cluster's barrier without having arrived at "
                    "it. Pair each wait with one arrive before it.",
                    here_.thread_text(here_.warp_index_ * 32 + std::countr_zero(never))),
        static_cast<unsigned>(std::countr_zero(never))));
  if ((here_.warp_->cluster_held & mask) == 0) {
    here_.warp_->cluster_arrived &= ~mask;
    return true;
  }
  Group behind = group;
  behind.mask = group.mask & ~mask;
  ++behind.pc;
  group.mask = mask;
  group.state = Group::State::at_cluster_barrier;
  if (behind.mask) here_.warp_->groups.push_back(behind);
  return false;
}

bool Clusters::complete_barrier() {
  bool any = false;
  for (const Block* block : here_.block_->cluster->blocks) {
    if (!block) continue;
    for (const Warp& warp : block->warps) {
      if (warp.cluster_held != warp.live) return false;
      any |= warp.cluster_held != 0;
    }
  }
  if (!any) return false;
  std::vector<watch::HappensBefore*> met;
  for (Block* block : here_.block_->cluster->blocks) {
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
  here_.counters_.barrier();
  ++here_.changes_;
  return true;
}

void Clusters::leave(Block& block) {
  if (block.reached) here_.diagnoses_.report(*block.reached);
  block.reached.reset();
  for (Block*& member : block.cluster->blocks)
    if (member == &block) member = nullptr;
  complete_barrier();
}

void Clusters::map_shared(const code::Operation& operation, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    std::uint64_t address = here_.lane_value(operation.s[0], lane);
    std::uint64_t rank = here_.lane_value(operation.s[1], lane);
    if (rank >= here_.grid_.cluster_blocks)
      here_.fault(here_.finding(
          "out-of-bounds",
          fmt::format("thread {} asks for the shared memory of block {} of its cluster, "
                      "which has {} blocks.",
                      here_.thread_text(here_.warp_index_ * 32 + lane), rank,
                      here_.grid_.cluster_blocks),
          lane));
    std::uint64_t window = address & ~0xffffffffull;
    std::uint64_t name = rank == rank_in_cluster(*here_.block_) ? 0 : rank + 1;
    here_.set_lane(operation.d, lane,
                   window | name << code::shared_rank_shift | (address & offset_mask));
  });
}

void Clusters::shared_rank(const code::Operation& operation, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    std::uint64_t named =
        (here_.lane_value(operation.s[0], lane) & 0xffffffff) >> code::shared_rank_shift;
    here_.set_lane(operation.d, lane, named ? named - 1 : rank_in_cluster(*here_.block_));
  });
}

void Clusters::note_reach(Block& owner, std::uint32_t lanes) {
  if (&owner == here_.block_ || owner.reached) return;
  auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  owner.reached = here_.finding(
      "use-after-free",
      fmt::format("thread {} accesses shared memory of block {} of its cluster, which ends without "
                  "waiting for it. Let all blocks wait at cluster.sync() before one returns.",
                  here_.thread_text(here_.warp_index_ * 32 + lane), rank_in_cluster(owner)),
      lane);
}

Block& Clusters::named_block(const char* verb, std::uint32_t& lanes, std::uint64_t* addresses) {
  auto first = static_cast<unsigned>(std::countr_zero(lanes));
  const std::uint64_t name = addresses[first] >> code::shared_rank_shift;
  std::uint32_t same = 0;
  for_lanes(lanes, [&](unsigned lane) {
    if (addresses[lane] >> code::shared_rank_shift != name) return;
    same |= 1u << lane;
    addresses[lane] &= offset_mask;
  });
  lanes = same;
  if (name == 0) return *here_.block_;
  if (name > here_.grid_.cluster_blocks)
    here_.fault(here_.finding(
        "out-of-bounds",
        fmt::format("thread {} {} shared memory at address 0x{:x}, which belongs to no "
                    "block of its cluster of {}.",
                    here_.thread_text(here_.warp_index_ * 32 + first), verb,
                    name << code::shared_rank_shift | addresses[first], here_.grid_.cluster_blocks),
        first));
  Block* block = here_.block_->cluster->blocks[name - 1];
  if (!block)
    here_.fault(here_.finding(
        "use-after-free",
        fmt::format("thread {} {} shared memory of block {} of its cluster, which has "
                    "ended. Let all blocks wait at cluster.sync() before one returns.",
                    here_.thread_text(here_.warp_index_ * 32 + first), verb, name - 1),
        first));
  return *block;
}

std::uint64_t Clusters::rank_in_cluster(const Block& block) const {
  const std::vector<Block*>& blocks = block.cluster->blocks;
  return static_cast<std::uint64_t>(std::find(blocks.begin(), blocks.end(), &block) -
                                    blocks.begin());
}

}  // namespace warpwise::machine
