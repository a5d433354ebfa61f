#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/machine/lanes.h"
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
    case ShuffleMode::index:
      break;
  }
  unsigned source = lowest | (b & ~segment);
  return {source <= highest ? source : lane, source <= highest};
}

}  // namespace

/// Waits until all live lanes that the masks name stand at this instruction.
/// @return false where the group has to wait.
bool Worker::named_lanes_arrived(Group& group, const code::Instruction& instruction,
                                 std::uint32_t mask) {
  const auto* masks = reinterpret_cast<const std::uint32_t*>(warp_->slot(instruction.s[3]));
  std::uint32_t named = 0, selfless = 0, in_all = ~0u;
  for_lanes(mask, [&](unsigned lane) {
    named |= masks[lane];
    in_all &= masks[lane];
    if (!(masks[lane] >> lane & 1)) selfless |= 1u << lane;
  });
  if (named & warp_->live & ~group.mask) {
    group.state = Group::State::at_warp_sync;
    group.barrier = named;
    wake_warp_sync();
    return false;
  }
  if (selfless)
    report_selfless(masks, selfless);
  else if ((named ^ in_all) & warp_->live)
    check_same_masks(masks, mask);
  return true;
}

/// Lanes that name each other must agree on who takes part. Those that have returned do not matter.
void Worker::check_same_masks(const std::uint32_t* masks, std::uint32_t mask) {
  auto disagreeing = [&](unsigned lane) {
    std::uint32_t others = 0;
    for_lanes(masks[lane] & mask, [&](unsigned other) {
      if ((masks[other] ^ masks[lane]) & warp_->live) others |= 1u << other;
    });
    return others;
  };
  std::uint32_t lanes = 0;
  for_lanes(mask, [&](unsigned lane) { lanes |= std::uint32_t{disagreeing(lane) != 0} << lane; });
  if (lanes == 0) return;
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  const auto other = static_cast<unsigned>(std::countr_zero(disagreeing(lane)));
  watch::Finding found = finding(
      "invalid-shuffle",
      fmt::format(
          "thread {} executes this with the mask 0x{:08x}, which names lane {}, and lane {} "
          "executes it with 0x{:08x}. All lanes that a mask names must pass the same mask.",
          thread_text(warp_index_ * 32 + lane), masks[lane], other, other, masks[other]),
      lane);
  found.count = static_cast<std::uint64_t>(std::popcount(lanes));
  diagnoses_.report(std::move(found));
}

void Worker::report_selfless(const std::uint32_t* masks, std::uint32_t lanes) {
  auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  watch::Finding found =
      finding("invalid-shuffle",
              fmt::format("thread {} executes this with the mask 0x{:08x}, which does not name its "
                          "own lane {}. The mask must name every lane that takes part.",
                          thread_text(warp_index_ * 32 + lane), masks[lane], lane),
              lane);
  found.count = std::popcount(lanes);
  diagnoses_.report(std::move(found));
}

/// Lets waiting groups go on whose lanes are all there; those at the same instruction become one.
/// bar.warp.sync may be met at different instructions, shuffles and votes at one only.
void Worker::wake_warp_sync() {
  auto is_barrier = [&](const Group& group) {
    return program_.code[group.pc].op == code::Op::warp_barrier;
  };
  std::vector<Group*> complete;
  for (Group& group : warp_->groups)
    if (group.state == Group::State::at_warp_sync) complete.push_back(&group);
  // Who waits for a group that itself cannot go on has to wait as well.
  auto waits = [&](const Group* group) {
    std::uint32_t missing = group->barrier & warp_->live;
    for (const Group* other : complete)
      if (other->stands_with(*group) ||
          (is_barrier(*other) && is_barrier(*group) && other->barrier == group->barrier))
        missing &= ~other->mask;
    return missing != 0;
  };
  for (;;) {
    auto waiting = std::find_if(complete.begin(), complete.end(), waits);
    if (waiting == complete.end()) break;
    complete.erase(waiting);
  }
  for (Group* group : complete)
    if (is_barrier(*group)) {
      warp_->use(*group->frame);
      order_memory(program_.code[group->pc], group->mask);
    }
  for (Group* group : complete) {
    // A barrier is done; a shuffle or vote is executed again, now with all its lanes.
    group->state = Group::State::ready;
    if (is_barrier(*group)) ++group->pc;
    for (Group* other : complete) {
      if (other == group || other->state != Group::State::ready || !other->stands_with(*group))
        continue;
      group->mask |= other->mask;
      other->mask = 0;
    }
  }
  warp_->drop_empty_groups();
}

/// Tells the race checker that lanes met at a bar.warp.sync: each with those that its mask names.
void Worker::order_memory(const code::Instruction& instruction, std::uint32_t lanes) {
  if (!block_->order) return;
  const auto* masks = reinterpret_cast<const std::uint32_t*>(warp_->slot(instruction.s[3]));
  while (lanes) {
    std::uint32_t named = masks[std::countr_zero(lanes)] & warp_->live;
    block_->order->warp_barrier(warp_index_, named, named == warp_->live);
    std::uint32_t same = 0;
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1)
      if ((masks[std::countr_zero(rest)] & warp_->live) == named) same |= rest & (0 - rest);
    lanes &= ~same;
  }
}

bool Worker::warp_barrier(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  if (!named_lanes_arrived(group, instruction, mask)) return false;
  order_memory(instruction, mask);
  return true;
}

/// Tells what will be said if the value that the lane got from an absent one decides something.
void Worker::note_absent(unsigned lane, unsigned source) {
  watch::Finding found = finding("invalid-shuffle", {}, lane);
  watch::Finding& noted = undefined_findings_[found.instruction];
  if (noted.block == found.block && noted.thread <= found.thread && !noted.kind.empty()) return;
  found.message = fmt::format(
      "thread {} reads the value of lane {}, which does not take part: {}. Its value is undefined.",
      thread_text(warp_index_ * 32 + lane), source,
      !(warp_->existing >> source & 1) ? "the block has no such thread"
      : !(warp_->live >> source & 1)   ? "it has returned"
                                       : "the mask does not name it");
  noted = std::move(found);
}

bool Worker::shuffle(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  if (!named_lanes_arrived(group, instruction, mask)) return false;
  const auto* a = reinterpret_cast<const std::uint32_t*>(warp_->slot(instruction.s[0]));
  const auto* b = reinterpret_cast<const std::uint32_t*>(warp_->slot(instruction.s[1]));
  const auto* c = reinterpret_cast<const std::uint32_t*>(warp_->slot(instruction.s[2]));
  const auto* masks = reinterpret_cast<const std::uint32_t*>(warp_->slot(instruction.s[3]));
  std::uint32_t result[32], inside = 0, carried = 0, absent = 0;
  std::uint8_t from[32] = {};
  std::uint32_t undefined = warp_->undefined().lanes(instruction.s[0]);
  for_lanes(mask, [&](unsigned lane) {
    SourceLane source =
        shuffle_source(static_cast<ShuffleMode>(instruction.mode), lane, b[lane], c[lane]);
    result[lane] = a[source.lane];
    from[lane] = static_cast<std::uint8_t>(source.lane);
    inside |= static_cast<std::uint32_t>(source.inside) << lane;
    bool takes_part = (mask >> source.lane & 1) && (masks[lane] >> source.lane & 1);
    if (undefined >> source.lane & 1) carried |= 1u << lane;
    if (takes_part || source.lane == lane) return;
    absent |= 1u << lane;
    note_absent(lane, source.lane);
  });
  if (trace_) [[unlikely]]
    trace_->shuffle(from);
  if (instruction.d != code::no_slot) {
    auto* d = reinterpret_cast<std::uint32_t*>(warp_->slot(instruction.d));
    for_lanes(mask, [&](unsigned lane) { d[lane] = result[lane]; });
  }
  if (absent || warp_->undefined().any()) {
    std::uint32_t origin = warp_->undefined().origin(instruction.s[0]);
    if (absent) origin = static_cast<std::uint32_t>(&instruction - program_.code.data());
    std::uint32_t computed = warp_->undefined().computed(instruction.s[0]) ? ~0u : absent;
    warp_->undefined().define(instruction.d, mask);
    warp_->undefined().set(instruction.d, carried | absent, origin, computed);
  }
  if (instruction.d2 != code::no_slot) {
    std::uint32_t& p = warp_->mask_at(instruction.d2);
    p = (p & ~mask) | (inside & mask);
  }
  return true;
}

bool Worker::vote(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  if (!named_lanes_arrived(group, instruction, mask)) return false;
  if (warp_->undefined().any()) use_value(instruction.s[0], mask);
  std::uint32_t values = warp_->mask_at(instruction.s[0]);
  const auto* masks = reinterpret_cast<const std::uint32_t*>(warp_->slot(instruction.s[3]));
  std::uint32_t answers = 0;
  std::uint32_t ballots[32];
  for_lanes(mask, [&](unsigned lane) {
    std::uint32_t voters = masks[lane] & mask, yes = values & voters;
    ballots[lane] = yes;
    bool answer = false;
    switch (static_cast<VoteMode>(instruction.mode)) {
      case VoteMode::all:
        answer = yes == voters;
        break;
      case VoteMode::any:
        answer = yes != 0;
        break;
      case VoteMode::uniform:
        answer = yes == 0 || yes == voters;
        break;
      case VoteMode::ballot:
        break;
    }
    answers |= static_cast<std::uint32_t>(answer) << lane;
  });
  if (instruction.d_bytes == 0) {
    std::uint32_t& d = warp_->mask_at(instruction.d);
    d = (d & ~mask) | answers;
    return true;
  }
  auto* d = reinterpret_cast<std::uint32_t*>(warp_->slot(instruction.d));
  for_lanes(mask, [&](unsigned lane) { d[lane] = ballots[lane]; });
  return true;
}

}  // namespace warpwise::machine
