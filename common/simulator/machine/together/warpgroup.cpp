#include "simulator/machine/together/warpgroup.h"

#include <fmt/format.h>

#include <bit>

#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

constexpr std::uint32_t warpgroup_threads = 32 * warpgroup_warps;

}  // namespace

void Warpgroups::meet(Group& group, std::uint32_t mask) {
  group.state = Group::State::at_barrier;
  group.barrier = Block::named_barriers + here_.warp_index_ / warpgroup_warps;
  Block::Barrier& barrier = here_.block_->barriers[group.barrier];
  barrier.expected = warpgroup_threads;
  barrier.arrived += 32;
  barrier.lanes[here_.warp_index_] = mask;
}

void Warpgroups::multiply_together(std::uint32_t barrier) {
  const unsigned first = (barrier - Block::named_barriers) * warpgroup_warps;
  std::vector<Group*> groups;
  for (unsigned i = first; i < first + warpgroup_warps; ++i)
    for (Group& group : here_.block_->warps[i].groups)
      if (group.state == Group::State::at_barrier && group.barrier == barrier)
        groups.push_back(&group);
  check_one_product(groups, first);
  for (unsigned i = 0; i < warpgroup_warps; ++i) {
    Group& group = *groups[i];
    here_.turn_to(first + i);
    here_.group_ = &group;
    here_.warp_->use(*group.frame);
    here_.current_ = &here_.program_.code[group.pc];
    form_product(*here_.current_, here_.program_.operations[here_.current_->access]);
    group.state = Group::State::ready;
    ++group.pc;
    here_.warp_->join_groups();
  }
  // Their reads come before what follows in any of them.
  if (here_.block_->order) here_.block_->order->block_barrier(0xfu << first, barrier);
  here_.block_->barriers[barrier] = {};
}

/// @param first warp of the warpgroup.
void Warpgroups::check_one_product(const std::vector<Group*>& groups, unsigned first) {
  for (unsigned i = 1; i < warpgroup_warps; ++i) {
    if (groups[i]->pc == groups[0]->pc) continue;
    here_.warp_index_ = first + i;
    here_.current_ = &here_.program_.code[groups[i]->pc];
    here_.fault(here_.finding(
        "barrier-divergence",
        fmt::format("warp {} executes this wgmma, and warp {} of its warpgroup the one{}. "
                    "All four warps have to execute the same one together.",
                    first + i, first, here_.line_text(here_.program_.code[groups[0]->pc])),
        0));
  }
}

void Warpgroups::report_missing_warps(const Group& group) {
  const unsigned first = (group.barrier - Block::named_barriers) * warpgroup_warps;
  unsigned missing = first;
  while (missing < here_.block_->warps.size() &&
         here_.block_->barriers[group.barrier].lanes[missing])
    ++missing;
  const char* reason = missing >= here_.block_->warps.size() ? "the block has no such warp, launch "
                                                               "multiples of 128 threads"
                       : !here_.block_->warps[missing].live  ? "it has returned"
                                                             : "it takes another way";
  here_.fault(here_.finding(
      "barrier-divergence",
      fmt::format(
          "{} of the 4 warps of this warpgroup (warps {} to {}) execute this wgmma, warp {} "
          "does not: {}. All four have to execute it together.",
          here_.block_->barriers[group.barrier].arrived / 32, first, first + warpgroup_warps - 1,
          missing, reason),
      0));
}

void Warpgroups::fence_proxies() {
  here_.block_->ordinary_writes.fence();
  if (!here_.block_->cluster) return;
  for (Block* other : here_.block_->cluster->blocks)
    if (other) other->ordinary_writes.fence();
}

void Warpgroups::wait(const code::Operation& operation, std::uint32_t mask) {
  const std::uint64_t groups =
      here_.lane_value(operation.s[0], static_cast<unsigned>(std::countr_zero(mask)));
  Warp::Products& products = here_.warp_->products;
  if (groups >= products.committed) return;
  const auto ended = products.committed - static_cast<std::uint32_t>(groups);
  if (ended <= products.landed) return;
  products.landed = ended;
  here_.warp_->undefined().land(ended);
  here_.block_->copies.end_products(here_.warp_index_ / warpgroup_warps * warpgroup_warps, ended);
}

}  // namespace warpwise::machine
