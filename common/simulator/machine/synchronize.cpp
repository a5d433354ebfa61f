#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "simulator/machine/worker.h"

namespace warpwise::machine {
namespace {

using code::ShuffleMode;
using code::VoteMode;

/// The lane that a shuffle reads, and whether it is inside the segment.
struct SourceLane {
  unsigned lane;
  bool inside;
};

SourceLane shuffle_source(ShuffleMode mode, unsigned lane, std::uint32_t b, std::uint32_t c) {
  unsigned segment = c >> 8 & 31, clamp = c & 31;
  unsigned lowest = lane & segment, highest = lowest | (clamp & ~segment);
  b &= 31;
  switch (mode) {
    case ShuffleMode::up: {
      int source = static_cast<int>(lane) - static_cast<int>(b);
      // For .up the clamp is the lowest lane that may be read.
      bool inside = source >= static_cast<int>(highest);
      return {inside ? static_cast<unsigned>(source) : lane, inside};
    }
    case ShuffleMode::down: {
      unsigned source = lane + b;
      return {source <= highest ? source : lane, source <= highest};
    }
    case ShuffleMode::butterfly: {
      unsigned source = lane ^ b;
      return {source <= highest ? source : lane, source <= highest};
    }
    case ShuffleMode::index: break;
  }
  unsigned source = lowest | (b & ~segment);
  return {source <= highest ? source : lane, source <= highest};
}

}  // namespace

/// Waits until all live lanes that the masks name stand at this instruction.
/// @return false where the group has to wait.
bool Worker::named_lanes_arrived(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  const auto* masks = reinterpret_cast<const std::uint32_t*>(warp_->slot(instruction.s[3]));
  std::uint32_t named = 0, selfless = 0;
  for (std::uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    named |= masks[lane];
    if (!(masks[lane] >> lane & 1)) selfless |= 1u << lane;
  }
  if (selfless) {
    auto lane = static_cast<unsigned>(std::countr_zero(selfless));
    watch::Finding found = finding(
        "invalid-shuffle",
        fmt::format("thread {} executes this with the mask 0x{:08x}, which does not name its own lane {}. The mask "
                    "must name every lane that takes part.",
                    thread_text(warp_index_ * 32 + lane), masks[lane], lane),
        lane);
    found.count = std::popcount(selfless);
    diagnoses_.report(std::move(found));
  }
  if ((named & warp_->live & ~group.mask) == 0) return true;
  group.state = Group::State::at_warp_sync;
  group.barrier = named;
  wake_warp_sync();
  return false;
}

/// Groups that wait at the same instruction become one; those whose lanes are all there go on.
/// bar.warp.sync may be met at different instructions, shuffles and votes at one only.
void Worker::wake_warp_sync() {
  auto& groups = warp_->groups;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].state != Group::State::at_warp_sync) continue;
    std::uint32_t arrived = groups[i].mask;
    bool is_barrier = program_.code[groups[i].pc].op == code::Op::warp_barrier;
    for (std::size_t k = 0; k < groups.size(); ++k) {
      if (k == i || groups[k].state != Group::State::at_warp_sync) continue;
      bool same_place = groups[k].pc == groups[i].pc;
      bool both_barriers = is_barrier && program_.code[groups[k].pc].op == code::Op::warp_barrier &&
                           groups[k].barrier == groups[i].barrier;
      if (same_place || both_barriers) arrived |= groups[k].mask;
    }
    if (groups[i].barrier & warp_->live & ~arrived) continue;
    std::uint32_t pc = groups[i].pc, named = groups[i].barrier;
    if (is_barrier && races_)
      races_->warp_barrier(warp_index_, arrived & named, (arrived & named) == warp_->live);
    for (Group& group : groups) {
      if (group.state != Group::State::at_warp_sync) continue;
      if (group.pc == pc && &group != &groups[i]) {
        groups[i].mask |= group.mask;
        group.mask = 0;
      } else if (is_barrier && group.barrier == named && program_.code[group.pc].op == code::Op::warp_barrier) {
        group.state = Group::State::ready;
        ++group.pc;
      }
    }
    // A barrier is done; a shuffle or vote is executed again, now with all its lanes.
    if (!is_barrier) groups[i].state = Group::State::ready;
  }
  std::erase_if(groups, [](const Group& group) { return group.mask == 0; });
}

bool Worker::warp_barrier(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  if (!named_lanes_arrived(group, instruction, mask)) return false;
  if (races_) races_->warp_barrier(warp_index_, mask, mask == warp_->live);
  return true;
}

bool Worker::shuffle(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  if (!named_lanes_arrived(group, instruction, mask)) return false;
  const auto* a = reinterpret_cast<const std::uint32_t*>(warp_->slot(instruction.s[0]));
  const auto* b = reinterpret_cast<const std::uint32_t*>(warp_->slot(instruction.s[1]));
  const auto* c = reinterpret_cast<const std::uint32_t*>(warp_->slot(instruction.s[2]));
  const auto* masks = reinterpret_cast<const std::uint32_t*>(warp_->slot(instruction.s[3]));
  std::uint32_t result[32], inside = 0;
  for (std::uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    SourceLane source = shuffle_source(static_cast<ShuffleMode>(instruction.mode), lane, b[lane], c[lane]);
    result[lane] = a[source.lane];
    inside |= static_cast<std::uint32_t>(source.inside) << lane;
    bool takes_part = (mask >> source.lane & 1) && (masks[lane] >> source.lane & 1);
    if (takes_part || source.lane == lane) continue;
    diagnoses_.report(finding(
        "invalid-shuffle",
        fmt::format("thread {} reads the value of lane {}, which does not take part: {}. Its value is undefined.",
                    thread_text(warp_index_ * 32 + lane), source.lane,
                    !(warp_->existing >> source.lane & 1) ? "the block has no such thread"
                    : !(warp_->live >> source.lane & 1)   ? "it has returned"
                                                          : "the mask does not name it"),
        lane));
  }
  if (instruction.d != code::no_slot) {
    auto* d = reinterpret_cast<std::uint32_t*>(warp_->slot(instruction.d));
    for (std::uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
      auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      d[lane] = result[lane];
    }
  }
  if (instruction.d2 != code::no_slot) {
    std::uint32_t& p = warp_->mask_at(instruction.d2);
    p = (p & ~mask) | (inside & mask);
  }
  return true;
}

bool Worker::vote(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  if (!named_lanes_arrived(group, instruction, mask)) return false;
  std::uint32_t values = warp_->mask_at(instruction.s[0]);
  const auto* masks = reinterpret_cast<const std::uint32_t*>(warp_->slot(instruction.s[3]));
  std::uint32_t answers = 0;
  std::uint32_t ballots[32];
  for (std::uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    std::uint32_t voters = masks[lane] & mask, yes = values & voters;
    ballots[lane] = yes;
    bool answer = false;
    switch (static_cast<VoteMode>(instruction.mode)) {
      case VoteMode::all: answer = yes == voters; break;
      case VoteMode::any: answer = yes != 0; break;
      case VoteMode::uniform: answer = yes == 0 || yes == voters; break;
      case VoteMode::ballot: break;
    }
    answers |= static_cast<std::uint32_t>(answer) << lane;
  }
  if (instruction.d_bytes == 0) {
    std::uint32_t& d = warp_->mask_at(instruction.d);
    d = (d & ~mask) | answers;
    return true;
  }
  auto* d = reinterpret_cast<std::uint32_t*>(warp_->slot(instruction.d));
  for (std::uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    d[lane] = ballots[lane];
  }
  return true;
}

bool Worker::barrier(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  auto lane = static_cast<unsigned>(std::countr_zero(mask));
  auto value = [&](code::Slot slot) { return reinterpret_cast<const std::uint32_t*>(warp_->slot(slot))[lane]; };
  std::uint32_t id = value(instruction.s[0]);
  if (id >= 16) fault(finding("invalid-barrier", fmt::format("there is no barrier {}: numbers go from 0 to 15.", id), lane));
  if (instruction.s[1] != code::no_slot) barriers_[id].expected = value(instruction.s[1]);
  if (mask != group.mask) {
    // Guarded lanes stay behind; the others go on after the barrier on their own.
    Group rest = group;
    rest.mask = group.mask & ~mask;
    ++rest.pc;
    group.mask = mask;
    group.state = Group::State::at_barrier;
    group.barrier = id;
    barriers_[id].arrived += std::popcount(mask);
    warp_->groups.push_back(rest);
    return false;
  }
  group.state = Group::State::at_barrier;
  group.barrier = id;
  barriers_[id].arrived += std::popcount(mask);
  return false;
}

}  // namespace warpwise::machine
