#include <fmt/format.h>

#include <bit>

#include "simulator/machine/warp/lanes.h"
#include "simulator/machine/worker.h"

/// Warpgroups: four warps that form products of matrices together, and wait for what they have
/// begun.
namespace warpwise::machine {
namespace {

constexpr std::uint32_t warpgroup_threads = 32 * warpgroup_warps;

}  // namespace

/// The warp waits for the others of its warpgroup.
void Worker::meet_warpgroup(Group& group, std::uint32_t mask) {
  group.state = Group::State::at_barrier;
  group.barrier = Block::named_barriers + warp_index_ / warpgroup_warps;
  Block::Barrier& barrier = block_->barriers[group.barrier];
  barrier.expected = warpgroup_threads;
  barrier.arrived += 32;
  barrier.lanes[warp_index_] = mask;
}

/// All four warps are there: each forms its part of the product. A warp that then waits for it
/// waits for all of its parts.
void Worker::multiply_together(std::uint32_t barrier) {
  const unsigned first = (barrier - Block::named_barriers) * warpgroup_warps;
  std::vector<Group*> groups;
  for (unsigned i = first; i < first + warpgroup_warps; ++i)
    for (Group& group : block_->warps[i].groups)
      if (group.state == Group::State::at_barrier && group.barrier == barrier)
        groups.push_back(&group);
  check_one_product(groups, first);
  for (unsigned i = 0; i < warpgroup_warps; ++i) {
    Group& group = *groups[i];
    turn_to(first + i);
    group_ = &group;
    warp_->use(*group.frame);
    current_ = &program_.code[group.pc];
    warpgroup_product(*current_, program_.operations[current_->access]);
    group.state = Group::State::ready;
    ++group.pc;
    warp_->join_groups();
  }
  // Their reads come before what follows in any of them.
  if (block_->order) block_->order->block_barrier(0xfu << first, barrier);
  block_->barriers[barrier] = {};
}

/// @param first warp of the warpgroup.
void Worker::check_one_product(const std::vector<Group*>& groups, unsigned first) {
  for (unsigned i = 1; i < warpgroup_warps; ++i) {
    if (groups[i]->pc == groups[0]->pc) continue;
    warp_index_ = first + i;
    current_ = &program_.code[groups[i]->pc];
    fault(
        finding("barrier-divergence",
                fmt::format("warp {} executes this wgmma, and warp {} of its warpgroup the one{}. "
                            "All four warps have to execute the same one together.",
                            first + i, first, line_text(program_.code[groups[0]->pc])),
                0));
  }
}

/// Some warps of the group wait here, the others never will.
void Worker::report_missing_warps(const Group& group) {
  const unsigned first = (group.barrier - Block::named_barriers) * warpgroup_warps;
  unsigned missing = first;
  while (missing < block_->warps.size() && block_->barriers[group.barrier].lanes[missing])
    ++missing;
  const char* reason = missing >= block_->warps.size() ? "the block has no such warp, launch "
                                                         "multiples of 128 threads"
                       : !block_->warps[missing].live  ? "it has returned"
                                                       : "it takes another way";
  fault(finding(
      "barrier-divergence",
      fmt::format(
          "{} of the 4 warps of this warpgroup (warps {} to {}) execute this wgmma, warp {} "
          "does not: {}. All four have to execute it together.",
          block_->barriers[group.barrier].arrived / 32, first, first + warpgroup_warps - 1, missing,
          reason),
      0));
}

/// The block's writes may be in other blocks of its cluster.
void Worker::fence_proxies() {
  block_->ordinary_writes.fence();
  if (!block_->cluster) return;
  for (Block* other : block_->cluster->blocks)
    if (other) other->ordinary_writes.fence();
}

void Worker::fence_warpgroup() { warp_->products.fenced = true; }

/// Products of the whole warpgroup end together: to wait for the own part is to wait for all.
void Worker::wait_products(const code::Operation& operation, std::uint32_t mask) {
  const std::uint64_t groups =
      lane_value(operation.s[0], static_cast<unsigned>(std::countr_zero(mask)));
  Warp::Products& products = warp_->products;
  if (groups >= products.committed) return;
  const auto ended = products.committed - static_cast<std::uint32_t>(groups);
  if (ended <= products.landed) return;
  products.landed = ended;
  warp_->undefined().land(ended);
  block_->copies.end_products(warp_index_ / warpgroup_warps * warpgroup_warps, ended);
}

}  // namespace warpwise::machine
