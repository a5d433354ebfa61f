#include "simulator/machine/together/barriers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "simulator/code/flow/places.h"
#include "simulator/isa/fast_loops.h"
#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

using code::BarrierMode;

/// Calls visit(warp index, group) for the groups that wait in this way, the one with the lowest
/// thread first.
template <class Visit>
void for_waiting(std::vector<Warp>& warps, Group::State state, Visit visit) {
  for (unsigned i = 0; i < warps.size(); ++i) {
    std::vector<const Group*> waiting;
    for (const Group& group : warps[i].groups)
      if (group.state == state) waiting.push_back(&group);
    std::sort(waiting.begin(), waiting.end(), [](const Group* a, const Group* b) {
      return std::countr_zero(a->mask) < std::countr_zero(b->mask);
    });
    for (const Group* group : waiting) visit(i, *group);
  }
}

/// Lanes whose register has the value, in these of its bits.
WARPWISE_FAST_LOOPS std::uint32_t lanes_with(const std::byte* slot, std::uint32_t value,
                                             std::uint32_t in_bits = ~0u) {
  const auto* values = reinterpret_cast<const std::uint32_t*>(slot);
  std::uint32_t bits[32], lanes = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    bits[lane] = (values[lane] & in_bits) == value ? 1u << lane : 0;
  for (std::uint32_t bit : bits) lanes |= bit;
  return lanes;
}

bool waits_at(const Group& group, std::uint32_t barrier) {
  return group.state == Group::State::at_barrier && group.barrier == barrier;
}

/// Calls visit(warp index, group) for the groups that wait at the barrier.
template <class Visit>
void for_each_waiting(const std::vector<Warp>& warps, std::uint32_t barrier, Visit visit) {
  for (unsigned i = 0; i < warps.size(); ++i)
    for (const Group& group : warps[i].groups)
      if (waits_at(group, barrier)) visit(i, group);
}

}  // namespace

bool Barriers::execute(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  auto value = [&](code::Slot slot, unsigned lane) {
    return reinterpret_cast<const std::uint32_t*>(here_.warp_->slot(slot))[lane];
  };
  auto lane = static_cast<unsigned>(std::countr_zero(mask));
  bool counts = instruction.s[1] != code::no_slot;
  const std::uint32_t number = value(instruction.s[0], lane);
  // An H100 goes by the lowest bits of the number.
  constexpr std::uint32_t number_bits = Block::named_barriers - 1;
  const std::uint32_t id = number & number_bits;
  const std::uint32_t count = counts ? value(instruction.s[1], lane) : 0;
  if (number != id)
    here_.diagnoses_.report(here_.finding(
        "barrier-divergence",
        fmt::format(
            "barrier {} does not exist: numbers go from 0 to {}. A GPU takes it for barrier "
            "{}, where other threads may meet. Check how the number is computed.",
            static_cast<std::int32_t>(number), number_bits, id),
        lane));
  if (count % 32)
    here_.fault(here_.finding(
        "barrier-divergence",
        fmt::format("barrier {} should wait for {} threads: the number must be a multiple "
                    "of 32, because barriers count whole warps.",
                    id, count),
        lane));
  std::uint32_t others = mask & ~lanes_with(here_.warp_->slot(instruction.s[0]), id, number_bits);
  if (counts) others |= mask & ~lanes_with(here_.warp_->slot(instruction.s[1]), count);
  const std::uint32_t arriving = mask & ~others;
  Block::Barrier& barrier = here_.block_->barriers[id];
  if (counts && barrier.arrived && barrier.expected && barrier.expected != count)
    here_.fault(here_.finding(
        "barrier-divergence",
        fmt::format(
            "barrier {} should wait for {} threads here, and for {} where others have "
            "already arrived. All threads that meet at a barrier must name the same number, "
            "which counts those that wait and those that only arrive.",
            id, count, barrier.expected),
        lane));
  if (counts) barrier.expected = count;
  barrier.arrived += std::popcount(arriving);
  barrier.lanes[here_.warp_index_] |= arriving;
  if (instruction.s[2] != code::no_slot) {
    if (here_.warp_->undefined().any()) parts_.uninitialized.use_value(instruction.s[2], arriving);
    barrier.asked += std::popcount(arriving);
    barrier.said_yes += std::popcount(here_.warp_->mask_at(instruction.s[2]) & arriving);
  }
  const bool waits = static_cast<BarrierMode>(instruction.mode) != BarrierMode::arrive;
  if (!waits && here_.block_->order) here_.block_->order->arrive(1u << here_.warp_index_, id);
  if (!waits && !others) return true;
  // Lanes whose guard is false do not wait: they go on after the barrier on their own, as do those
  // that only arrived.
  Group behind = group, before = group;
  behind.mask = group.mask & ~mask;
  ++behind.pc;
  before.mask = others;
  group.mask = arriving;
  if (waits) {
    group.state = Group::State::at_barrier;
    group.barrier = id;
  } else {
    ++group.pc;
  }
  if (behind.mask) here_.warp_->groups.push_back(behind);
  if (before.mask) here_.warp_->groups.push_back(before);
  return false;
}

bool Barriers::complete() {
  bool any = parts_.cluster.complete_barrier();
  for (std::uint32_t id = 0; id < std::size(here_.block_->barriers); ++id) {
    if (here_.block_->barriers[id].arrived == 0 || missing_threads(id) > 0) continue;
    id < Block::named_barriers ? release(id) : parts_.warpgroups.multiply_together(id);
    any = true;
  }
  return any;
}

void Barriers::release(std::uint32_t id) {
  Block::Barrier& barrier = here_.block_->barriers[id];
  // Other barriers than that of __syncthreads() are met at several places on purpose.
  if (!check_aligned(id) && id == 0 && barrier.expected == 0) check_one_place();
  std::uint32_t warps = 0, threads = 0;
  bool noted = barrier.expected != 0 || here_.block_->live_threads == here_.grid_.threads_per_block;
  for (unsigned i = 0; i < here_.block_->warps.size(); ++i) {
    for (Group& group : here_.block_->warps[i].groups) {
      if (!waits_at(group, id)) continue;
      warps |= 1u << i;
      threads += static_cast<std::uint32_t>(std::popcount(group.mask));
      if (!noted) note_exited(group, i);
      noted = true;
      here_.warp_ = &here_.block_->warps[i];
      here_.warp_->use(*group.frame);
      answer(here_.program_.code[group.pc], group.mask, barrier);
      group.state = Group::State::ready;
      ++group.pc;
    }
    here_.block_->warps[i].join_groups();
  }
  if (here_.block_->order) here_.block_->order->block_barrier(warps, id);
  if (threads == here_.block_->live_threads) parts_.races.meet();
  here_.counters_.barrier();
  barrier = {};
}

/// Gives the result of bar.red to the lanes of a warp.
void Barriers::answer(const code::Instruction& instruction, std::uint32_t mask,
                      const Block::Barrier& barrier) {
  if (instruction.d == code::no_slot) return;
  if (here_.warp_->undefined().any()) here_.warp_->undefined().define(instruction.d, mask);
  auto mode = static_cast<BarrierMode>(instruction.mode);
  if (mode == BarrierMode::count) {
    auto* d = reinterpret_cast<std::uint32_t*>(here_.warp_->slot(instruction.d));
    for_lanes(mask, [&](unsigned lane) { d[lane] = barrier.said_yes; });
    return;
  }
  bool yes = mode == BarrierMode::all ? barrier.said_yes == barrier.asked : barrier.said_yes > 0;
  std::uint32_t& d = here_.warp_->mask_at(instruction.d);
  d = yes ? d | mask : d & ~mask;
}

/// Lanes of one warp have met at different instructions, which .aligned forbids.
/// @return true where that was reported.
bool Barriers::check_aligned(std::uint32_t id) {
  bool reported = false;
  for (unsigned i = 0; i < here_.block_->warps.size(); ++i) {
    const std::vector<Group>& groups = here_.block_->warps[i].groups;
    if (groups.size() < 2) continue;
    const Group* first = nullptr;
    for (const Group& group : groups)
      if (waits_at(group, id) &&
          (!first || std::countr_zero(group.mask) < std::countr_zero(first->mask)))
        first = &group;
    for (const Group& other : groups) {
      if (!first || !waits_at(other, id) || other.stands_with(*first)) continue;
      here_.warp_index_ = i;
      // The first of two barriers in the text is in the branch that only some threads take.
      const auto line = [&](const Group& group) {
        return here_.program_.places[here_.program_.code[group.pc].place].line;
      };
      const Group* in_branch = line(*first) <= line(other) ? first : &other;
      const Group* behind = in_branch == first ? &other : first;
      here_.current_ = &here_.program_.code[in_branch->pc];
      if (!here_.current_->target && !here_.program_.code[behind->pc].target) continue;
      here_.diagnoses_.report(here_.finding(
          "barrier-divergence",
          fmt::format("{} threads of this warp wait at this barrier and {} at the one{}. All "
                      "threads of a warp must reach the same __syncthreads(): move it out of the "
                      "branch.",
                      std::popcount(in_branch->mask), std::popcount(behind->mask),
                      here_.line_text(here_.program_.code[behind->pc])),
          static_cast<unsigned>(std::countr_zero(in_branch->mask))));
      reported = true;
      break;
    }
  }
  return reported;
}

/// Whole warps may have met at __syncthreads() of different lines. PTX counts them as one barrier;
/// CUDA C++ does not define it.
void Barriers::check_one_place() {
  const Group* first = nullptr;
  bool apart = false;
  for_each_waiting(here_.block_->warps, 0, [&](unsigned, const Group& group) {
    if (!first) first = &group;
    apart |= group.pc != first->pc;
  });
  if (apart) note_apart();
}

void Barriers::note_apart() {
  std::map<std::uint32_t, std::uint32_t> threads;  // by line
  const Group* here = nullptr;                     // at the lowest one
  const auto line = [&](const Group& group) {
    return here_.program_.places[here_.program_.code[group.pc].place].line;
  };
  for_each_waiting(here_.block_->warps, 0, [&](unsigned warp, const Group& group) {
    threads[line(group)] += static_cast<std::uint32_t>(std::popcount(group.mask));
    if (here && line(*here) <= line(group)) return;
    here = &group;
    here_.warp_index_ = warp;
  });
  // One line can have become several instructions.
  if (threads.size() < 2 || threads.begin()->first == 0) return;
  here_.current_ = &here_.program_.code[here->pc];
  watch::Finding found =
      here_.finding("barrier-divergence", {}, static_cast<unsigned>(std::countr_zero(here->mask)));
  found.severity = watch::Severity::note;
  if (here_.diagnoses_.count_only(found)) return;
  const auto [other_line, others] = *std::next(threads.begin());
  found.message = fmt::format(
      "{} threads of the block wait at this __syncthreads() and {} at the one in line {}. GPUs "
      "count both as one barrier, so it works; CUDA C++ wants all threads of a block at the same "
      "one. Put one __syncthreads() after the branches.",
      threads.begin()->second, others, other_line);
  here_.diagnoses_.report(std::move(found));
}

/// Threads that ended, having returned or gone past it, do not hold the others up, but a barrier is
/// meant for all.
void Barriers::note_exited(const Group& group, unsigned warp) {
  here_.warp_index_ = warp;
  here_.current_ = &here_.program_.code[group.pc];
  watch::Finding found =
      here_.finding("barrier-divergence", {}, static_cast<unsigned>(std::countr_zero(group.mask)));
  found.severity = watch::Severity::note;
  if (here_.diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "{} of {} threads of the block ended without coming to this barrier. It opens when they have "
      "ended: what they did is there, what they left out is not. The manual wants all threads at "
      "it: move it before the return, or out of the branch.",
      here_.grid_.threads_per_block - here_.block_->live_threads, here_.grid_.threads_per_block);
  here_.diagnoses_.report(std::move(found));
}

/// How many threads a barrier still waits for. With a count of its own it counts whole warps: lanes
/// that have exited or never existed arrive with the others of their warp.
std::uint32_t Barriers::missing_threads(std::uint32_t id) const {
  const Block::Barrier& barrier = here_.block_->barriers[id];
  std::uint32_t expected = barrier.expected ? barrier.expected : here_.block_->live_threads;
  std::uint32_t arrived = barrier.arrived;
  for (std::size_t i = 0; barrier.expected && i < here_.block_->warps.size(); ++i)
    if (barrier.lanes[i])
      arrived += static_cast<std::uint32_t>(
          std::popcount(~here_.block_->warps[i].live & ~barrier.lanes[i]));
  return expected > arrived ? expected - arrived : 0;
}

namespace {

/// How "wait" goes on.
std::string wait_text(Group::State state, std::uint32_t barrier) {
  if (state == Group::State::at_barrier && barrier >= Block::named_barriers)
    return "for warps of their warpgroup";
  if (state == Group::State::at_barrier && barrier) return fmt::format("at barrier {}", barrier);
  return state == Group::State::at_barrier           ? "at the barrier"
         : state == Group::State::at_warp_sync       ? "for lanes of their warp"
         : state == Group::State::at_cluster_barrier ? "at the cluster's barrier"
                                                     : "for memory";
}

}  // namespace

/// Where the other threads of the block are: "; 32 wait at the barrier in line 7, 4 have returned".
std::string Barriers::other_waits(const Group& group) const {
  std::map<std::tuple<Group::State, std::uint32_t, std::uint32_t>, std::uint32_t> waiting;
  for (const Warp& warp : here_.block_->warps)
    for (const Group& other : warp.groups)
      if (!(waits_at(other, group.barrier) && group.state == other.state))
        waiting[{other.state, other.pc,
                 other.state == Group::State::at_barrier ? other.barrier : 0}] +=
            static_cast<std::uint32_t>(std::popcount(other.mask));
  std::string text;
  for (auto [where, count] : waiting) {
    auto [state, pc, barrier] = where;
    text += fmt::format("{} {} wait {}{}", text.empty() ? ";" : ",", count,
                        wait_text(state, barrier), here_.line_text(here_.program_.code[pc]));
  }
  if (std::uint32_t gone = here_.grid_.threads_per_block - here_.block_->live_threads)
    text += fmt::format("{} {} have returned", text.empty() ? ";" : ",", gone);
  return text;
}

void Barriers::report_deadlock() {
  // A group that waits for lanes of its own warp is the cause; barriers that wait are the
  // consequence. Unless those lanes would come, did they not wait at a barrier before.
  for_waiting(
      here_.block_->warps, Group::State::at_warp_sync, [&](unsigned index, const Group& group) {
        here_.warp_index_ = index;
        here_.current_ = &here_.program_.code[group.pc];
        std::uint32_t missing = group.barrier & here_.block_->warps[index].live;
        for (const Group& other : here_.block_->warps[index].groups)
          if (other.state == group.state)
            missing &= ~parts_.warp_meetings.meeting_lanes(group, other);
        for (const Group& other : here_.block_->warps[index].groups)
          if (other.state == Group::State::at_barrier && (other.mask & missing) &&
              is_less_advanced(other, group))
            return;
        const bool is_of_warpgroup =
            here_.current_->op == code::Op::operation &&
            isa::is_of_warpgroup(here_.program_.operations[here_.current_->access].kind);
        if (here_.current_->op == code::Op::matrix || is_of_warpgroup)
          parts_.matrices.report_missing_lanes(group.mask);
        std::string elsewhere;
        for (const Group& other : here_.block_->warps[index].groups)
          if (other.mask & (missing & (0 - missing)))
            elsewhere =
                fmt::format(": it waits {}{}",
                            other.state == group.state ? "for lanes of its warp"
                                                       : wait_text(other.state, other.barrier),
                            here_.line_text(here_.program_.code[other.pc]));
        here_.fault(here_.finding(
            "invalid-shuffle",
            fmt::format("the mask 0x{:08x} names lane {}, which never arrives here{}. Name "
                        "only lanes that execute this call, or move the call out of the "
                        "branch.",
                        group.barrier, std::countr_zero(missing), elsewhere),
            std::countr_zero(group.mask)));
      });
  for_waiting(
      here_.block_->warps, Group::State::at_barrier, [&](unsigned index, const Group& group) {
        const Block::Barrier& barrier = here_.block_->barriers[group.barrier];
        here_.warp_index_ = index;
        here_.current_ = &here_.program_.code[group.pc];
        if (group.barrier >= Block::named_barriers) parts_.warpgroups.report_missing_warps(group);
        // No thread went another way where all that are left wait here: the barrier counts too
        // many.
        const bool all_here = barrier.arrived >= here_.block_->live_threads;
        here_.fault(here_.finding(
            all_here ? "deadlock" : "barrier-divergence",
            fmt::format(
                "{} of {} threads wait at {} forever{}. {}", barrier.arrived,
                barrier.expected ? barrier.expected : here_.block_->live_threads,
                group.barrier ? fmt::format("barrier {}", group.barrier) : "this barrier",
                other_waits(group),
                barrier.expected
                    ? "As many threads as it counts must reach it: is the count right, and the "
                      "barrier's number?"
                    : "All threads that it counts must reach the same barrier."),
            std::countr_zero(group.mask)));
      });
  for_waiting(here_.block_->warps, Group::State::at_cluster_barrier,
              [&](unsigned index, const Group& group) {
                here_.warp_index_ = index;
                here_.current_ = &here_.program_.code[group.pc];
                here_.fault(here_.finding(
                    "barrier-divergence",
                    fmt::format("threads of block {} wait at the cluster's barrier for "
                                "ever: other threads of the cluster never arrive{}. All "
                                "threads of all its blocks must reach it.",
                                here_.block_->index, other_waits(group)),
                    std::countr_zero(group.mask)));
              });
  throw LaunchFault{};
}

}  // namespace warpwise::machine
