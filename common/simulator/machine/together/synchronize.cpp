#include "simulator/machine/together/synchronize.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "simulator/code/flow/places.h"
#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

using code::Op;
using code::ShuffleMode;
using code::VoteMode;

/// The lane that each lane of a shuffle reads: its own where that is not inside its segment.
struct SourceLanes {
  std::uint8_t of[32];
  std::uint32_t inside;  ///< a bit for each lane: it reads inside of its segment
};

/// One loop for each way to shuffle: the way is the same for all lanes.
/// @param source of (lane, b, its segment's first lane, its segment): the lane meant.
/// @param is_inside of (that lane, the lane that limits).
template <class Source, class Inside>
SourceLanes each_source(const std::uint32_t* b, const std::uint32_t* c, Source source,
                        Inside is_inside) {
  SourceLanes result{};
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned segment = c[lane] >> 8 & 31, clamp = c[lane] & 31;
    const unsigned lowest = lane & segment, limit = lowest | (clamp & ~segment);
    const unsigned meant = source(lane, b[lane] & 31, lowest, segment);
    const bool inside = is_inside(meant, limit);
    result.of[lane] = static_cast<std::uint8_t>(inside ? meant : lane);
    result.inside |= static_cast<std::uint32_t>(inside) << lane;
  }
  return result;
}

SourceLanes shuffle_sources(ShuffleMode mode, const std::uint32_t* b, const std::uint32_t* c) {
  const auto not_above = [](unsigned lane, unsigned limit) { return lane <= limit; };
  switch (mode) {
    case ShuffleMode::up:
      // The limit is the lowest lane that may be read; a difference may be below 0.
      return each_source(
          b, c, [](unsigned lane, unsigned by, unsigned, unsigned) { return lane - by; },
          [](unsigned lane, unsigned limit) {
            return static_cast<int>(lane) >= static_cast<int>(limit);
          });
    case ShuffleMode::down:
      return each_source(
          b, c, [](unsigned lane, unsigned by, unsigned, unsigned) { return lane + by; },
          not_above);
    case ShuffleMode::butterfly:
      return each_source(
          b, c, [](unsigned lane, unsigned by, unsigned, unsigned) { return lane ^ by; },
          not_above);
    case ShuffleMode::index:
      break;
  }
  return each_source(
      b, c,
      [](unsigned, unsigned named, unsigned lowest, unsigned segment) {
        return lowest | (named & ~segment);
      },
      not_above);
}

/// The value that lanes tell each other at the instruction.
code::Operation::Value first_operand(const code::Program& program,
                                     const code::Instruction& instruction) {
  if (instruction.op == Op::operation) return program.operations[instruction.access].s[0];
  const std::uint8_t bytes = instruction.op == Op::vote ? 0 : 4;
  return {instruction.s[0], bytes, code::Space::generic, 0};
}

/// True where lanes may meet though some are at the one and some at the other.
bool are_alike(const code::Program& program, const code::Instruction& a,
               const code::Instruction& b) {
  if (a.op != b.op) return false;
  if (a.op == Op::shuffle) return a.mode == b.mode;
  if (a.op == Op::vote) return a.mode == b.mode && a.d_bytes == b.d_bytes;
  if (a.op != Op::operation) return false;
  const code::Operation &first = program.operations[a.access],
                        &second = program.operations[b.access];
  const bool is_of_lanes = first.kind == isa::Kind::match_any ||
                           first.kind == isa::Kind::match_all || first.kind == isa::Kind::reduce ||
                           first.kind == isa::Kind::elect;
  return is_of_lanes && first.kind == second.kind && first.type == second.type &&
         first.reduction == second.reduction;
}

/// By lane: the mask that it passes to the instruction at which the group is.
const std::uint32_t* named_by(const Group& group, const code::Instruction& instruction) {
  return reinterpret_cast<const std::uint32_t*>(group.frame->registers() + instruction.s[3]);
}

/// Lanes of the group whose guard lets them execute the instruction at which it is.
std::uint32_t executing(const Group& group, const code::Instruction& instruction) {
  if (instruction.guard == code::no_slot) return group.mask;
  std::uint32_t guard = 0;
  std::memcpy(&guard, group.frame->registers() + instruction.guard, sizeof guard);
  return group.mask & (instruction.guard_negated ? ~guard : guard);
}

}  // namespace

std::uint32_t WarpMeetings::meet_named(Group& group, const code::Instruction& instruction,
                                       std::uint32_t mask) {
  if (here_.warp_->end_reconvergence(mask)) return mask | here_.warp_->reconvergence.lanes;
  const auto* masks = reinterpret_cast<const std::uint32_t*>(here_.warp_->slot(instruction.s[3]));
  std::uint32_t named = 0, selfless = 0, in_all = ~0u;
  for_lanes(mask, [&](unsigned lane) {
    named |= masks[lane];
    in_all &= masks[lane];
    if (!(masks[lane] >> lane & 1)) selfless |= 1u << lane;
  });
  if (named & here_.warp_->live & ~group.mask) {
    group.state = Group::State::at_warp_sync;
    group.barrier = named;
    wake_warp_sync();
    return 0;
  }
  if (selfless)
    report_selfless(masks, selfless);
  else if ((named ^ in_all) & here_.warp_->live)
    check_same_masks(masks, mask);
  if (const std::uint32_t returned = in_all & here_.warp_->existing & ~here_.warp_->live;
      returned != 0)
    note_returned(masks, mask, returned);
  return mask;
}

/// For votes and the like, whose result does not show that lanes are missing. What a shuffle gets
/// from those is reported where it matters.
void WarpMeetings::note_returned(const std::uint32_t* masks, std::uint32_t mask,
                                 std::uint32_t returned) {
  const bool is_seen = here_.current_->op == Op::vote || here_.current_->op == Op::operation;
  if (!is_seen || here_.program_.places[here_.current_->place].is_cubs) return;
  const auto lane = static_cast<unsigned>(std::countr_zero(mask));
  watch::Finding found = here_.finding("invalid-shuffle", {}, lane);
  found.severity = watch::Severity::note;
  if (here_.diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "thread {} executes this with the mask 0x{:08x}, which names lane {}: that has returned "
      "without coming here, and counts for nothing. Name only the lanes that take this branch.",
      here_.thread_text(here_.warp_index_ * 32 + lane), masks[lane],
      static_cast<unsigned>(std::countr_zero(returned)));
  here_.diagnoses_.report(std::move(found));
}

std::uint32_t WarpMeetings::meeting_lanes(const Group& group, const Group& other) const {
  if (other.stands_with(group)) return other.mask;
  const code::Instruction &here = here_.program_.code[group.pc],
                          &there = here_.program_.code[other.pc];
  if (here.op == Op::warp_barrier && there.op == Op::warp_barrier)
    return other.barrier == group.barrier ? other.mask : 0;
  if (!are_alike(here_.program_, here, there)) return 0;
  const std::uint32_t *masks = named_by(group, here), *other_masks = named_by(other, there);
  std::uint32_t lanes = executing(other, there);
  for_lanes(executing(group, here), [&](unsigned lane) {
    for_lanes(lanes & masks[lane], [&](unsigned met) {
      if ((masks[lane] ^ other_masks[met]) & here_.warp_->live) lanes &= ~(1u << met);
    });
  });
  return lanes;
}

/// Keeps the values of lanes that the group meets at other instructions than its own.
void WarpMeetings::meet_apart(const Group& group, const std::vector<Group*>& others) {
  const code::Instruction& here = here_.program_.code[group.pc];
  const std::uint32_t* masks = named_by(group, here);
  std::uint32_t named = 0;
  for_lanes(executing(group, here), [&](unsigned lane) { named |= masks[lane]; });
  if (!(named & here_.warp_->live & ~group.mask)) return;
  Reconvergence reconvergence;
  reconvergence.of = group.mask;
  for (const Group* other : others) {
    if (other->mask == 0 || other->stands_with(group)) continue;
    const code::Instruction& there = here_.program_.code[other->pc];
    const std::uint32_t lanes = meeting_lanes(group, *other) & named;
    const code::Operation::Value value = first_operand(here_.program_, there);
    if (lanes == 0) continue;
    reconvergence.lanes |= lanes;
    if (!value.is_there()) continue;
    here_.warp_->use(*other->frame);
    for_lanes(lanes,
              [&](unsigned lane) { reconvergence.values[lane] = here_.lane_value(value, lane); });
    const std::uint32_t undefined = here_.warp_->undefined().lanes(value.slot) & lanes;
    if (undefined) reconvergence.origin = here_.warp_->undefined().origin(value.slot);
    reconvergence.undefined |= undefined;
  }
  here_.warp_->reconvergences.push_back(reconvergence);
  here_.arrivals_.meet_apart();
}

/// The value of a lane that takes part, wherever it is.
std::uint64_t WarpMeetings::met_value(const code::Operation::Value& value, unsigned lane) {
  return here_.warp_->reconvergence.lanes >> lane & 1 ? here_.warp_->reconvergence.values[lane]
                                                      : here_.lane_value(value, lane);
}

/// Lanes that name each other must agree on the lanes that take part. Those that have returned do
/// not matter.
void WarpMeetings::check_same_masks(const std::uint32_t* masks, std::uint32_t mask) {
  auto disagreeing = [&](unsigned lane) {
    std::uint32_t others = 0;
    for_lanes(masks[lane] & mask, [&](unsigned other) {
      if ((masks[other] ^ masks[lane]) & here_.warp_->live) others |= 1u << other;
    });
    return others;
  };
  std::uint32_t lanes = 0;
  for_lanes(mask, [&](unsigned lane) { lanes |= std::uint32_t{disagreeing(lane) != 0} << lane; });
  if (lanes == 0) return;
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  const auto other = static_cast<unsigned>(std::countr_zero(disagreeing(lane)));
  watch::Finding found = here_.finding(
      "invalid-shuffle",
      fmt::format(
          "thread {} executes this with the mask 0x{:08x}, which names lane {}, and lane {} "
          "executes it with 0x{:08x}. All lanes that a mask names must pass the same mask.",
          here_.thread_text(here_.warp_index_ * 32 + lane), masks[lane], other, other,
          masks[other]),
      lane);
  found.count = static_cast<std::uint64_t>(std::popcount(lanes));
  here_.diagnoses_.report(std::move(found));
}

/// CUB gives all its groups of 3, 5 or 7 lanes the mask of the first one, to a barrier of the warp.
/// ptxas leaves the barrier away where lanes have not parted. Debug builds keep it, and an H200
/// halts there: illegal instruction.
bool WarpMeetings::is_barrier_of_cub() const {
  if (here_.current_->op != Op::warp_barrier || here_.program_.is_debug) return false;
  bool is_cubs = here_.program_.places[here_.current_->place].is_cubs;
  for (const CallFrame* frame = &here_.warp_->frame(); frame && frame->function;
       frame = frame->caller)
    is_cubs |= code::is_library_name(frame->function->name);
  return is_cubs;
}

void WarpMeetings::report_selfless(const std::uint32_t* masks, std::uint32_t lanes) {
  if (is_barrier_of_cub()) return;
  auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  watch::Finding found = here_.finding(
      "invalid-shuffle",
      fmt::format("thread {} executes this with the mask 0x{:08x}, which does not name its "
                  "own lane {}. The mask must name every lane that takes part.",
                  here_.thread_text(here_.warp_index_ * 32 + lane), masks[lane], lane),
      lane);
  // It does no harm, and without lines it is not known whether CUB did it.
  const bool may_be_cubs = here_.current_->op == Op::warp_barrier &&
                           here_.program_.places[here_.current_->place].line == 0;
  if (may_be_cubs) found.severity = watch::Severity::note;
  found.count = std::popcount(lanes);
  here_.diagnoses_.report(std::move(found));
}

void WarpMeetings::wake_warp_sync() {
  auto is_barrier = [&](const Group& group) {
    return here_.program_.code[group.pc].op == Op::warp_barrier;
  };
  std::vector<Group*> complete;
  for (Group& group : here_.warp_->groups)
    if (group.state == Group::State::at_warp_sync) complete.push_back(&group);
  // A group that waits for a group that itself cannot go on has to wait as well.
  auto waits = [&](const Group* group) {
    std::uint32_t missing = group->barrier & here_.warp_->live;
    for (const Group* other : complete) missing &= ~meeting_lanes(*group, *other);
    return missing != 0;
  };
  for (;;) {
    auto waiting = std::find_if(complete.begin(), complete.end(), waits);
    if (waiting == complete.end()) break;
    complete.erase(waiting);
  }
  for (Group* group : complete)
    if (is_barrier(*group)) {
      here_.warp_->use(*group->frame);
      order_memory(here_.program_.code[group->pc], group->mask);
    }
  std::vector<Group*> exchanging = complete;
  std::erase_if(exchanging, [&](const Group* group) { return is_barrier(*group); });
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
  for (const Group* group : exchanging)
    if (group->mask) meet_apart(*group, exchanging);
  here_.warp_->drop_empty_groups();
}

/// Tells the race checker that lanes met at a bar.warp.sync: each with those that its mask names.
void WarpMeetings::order_memory(const code::Instruction& instruction, std::uint32_t lanes) {
  if (!here_.block_->order) return;
  const auto* masks = reinterpret_cast<const std::uint32_t*>(here_.warp_->slot(instruction.s[3]));
  while (lanes) {
    std::uint32_t named = masks[std::countr_zero(lanes)] & here_.warp_->live;
    here_.block_->order->warp_barrier(here_.warp_index_, named, named == here_.warp_->live);
    std::uint32_t same = 0;
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1)
      if ((masks[std::countr_zero(rest)] & here_.warp_->live) == named) same |= rest & (0 - rest);
    lanes &= ~same;
  }
}

bool WarpMeetings::warp_barrier(Group& group, const code::Instruction& instruction,
                                std::uint32_t mask) {
  if (!meet_named(group, instruction, mask)) return false;
  order_memory(instruction, mask);
  return true;
}

bool WarpMeetings::shuffle(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  const std::uint32_t present = meet_named(group, instruction, mask);
  if (!present) return false;
  const auto* a = reinterpret_cast<const std::uint32_t*>(here_.warp_->slot(instruction.s[0]));
  const std::uint32_t apart = present & ~mask;
  const auto* b = reinterpret_cast<const std::uint32_t*>(here_.warp_->slot(instruction.s[1]));
  const auto* c = reinterpret_cast<const std::uint32_t*>(here_.warp_->slot(instruction.s[2]));
  const auto* masks = reinterpret_cast<const std::uint32_t*>(here_.warp_->slot(instruction.s[3]));
  const SourceLanes from = shuffle_sources(static_cast<ShuffleMode>(instruction.mode), b, c);
  std::uint32_t result[32], carried = 0, absent = 0, named_by_all = present;
  for_lanes(mask, [&](unsigned lane) {
    result[lane] = a[from.of[lane]];
    named_by_all &= masks[lane];
  });
  if (apart)
    for_lanes(mask, [&](unsigned lane) {
      if (apart >> from.of[lane] & 1)
        result[lane] = static_cast<std::uint32_t>(here_.warp_->reconvergence.values[from.of[lane]]);
    });
  std::uint32_t undefined = here_.warp_->undefined().lanes(instruction.s[0]);
  if (apart) undefined = (undefined & ~apart) | (here_.warp_->reconvergence.undefined & apart);
  if (undefined)
    for_lanes(mask, [&](unsigned lane) { carried |= (undefined >> from.of[lane] & 1) << lane; });
  if (named_by_all != ~0u)
    for_lanes(mask, [&](unsigned lane) {
      const unsigned source = from.of[lane];
      if (source == lane || (present & masks[lane]) >> source & 1) return;
      absent |= 1u << lane;
      uninitialized_.note_absent(lane, source);
    });
  if (here_.trace_) [[unlikely]]
    here_.trace_->shuffle(from.of);
  if (instruction.d != code::no_slot) {
    auto* d = reinterpret_cast<std::uint32_t*>(here_.warp_->slot(instruction.d));
    for_lanes(mask, [&](unsigned lane) { d[lane] = result[lane]; });
  }
  if (absent || carried || here_.warp_->undefined().any()) {
    std::uint32_t origin = here_.warp_->undefined().origin(instruction.s[0]);
    if (apart & here_.warp_->reconvergence.undefined) origin = here_.warp_->reconvergence.origin;
    if (absent) origin = static_cast<std::uint32_t>(&instruction - here_.program_.code.data());
    std::uint32_t computed = here_.warp_->undefined().computed(instruction.s[0]) ? ~0u : absent;
    here_.warp_->undefined().define(instruction.d, mask);
    here_.warp_->undefined().set(instruction.d, carried | absent, origin, computed);
  }
  if (instruction.d2 != code::no_slot) {
    std::uint32_t& p = here_.warp_->mask_at(instruction.d2);
    p = (p & ~mask) | (from.inside & mask);
  }
  return true;
}

bool WarpMeetings::vote(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  const std::uint32_t present = meet_named(group, instruction, mask);
  if (!present) return false;
  if (here_.warp_->undefined().any()) uninitialized_.use_value(instruction.s[0], mask);
  std::uint32_t values = here_.warp_->mask_at(instruction.s[0]);
  for_lanes(present & ~mask, [&](unsigned lane) {
    values = (values & ~(1u << lane)) |
             static_cast<std::uint32_t>(here_.warp_->reconvergence.values[lane]) << lane;
  });
  const auto* masks = reinterpret_cast<const std::uint32_t*>(here_.warp_->slot(instruction.s[3]));
  std::uint32_t answers = 0;
  std::uint32_t ballots[32];
  for_lanes(mask, [&](unsigned lane) {
    std::uint32_t voters = masks[lane] & present, yes = values & voters;
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
    std::uint32_t& d = here_.warp_->mask_at(instruction.d);
    d = (d & ~mask) | answers;
    return true;
  }
  auto* d = reinterpret_cast<std::uint32_t*>(here_.warp_->slot(instruction.d));
  for_lanes(mask, [&](unsigned lane) { d[lane] = ballots[lane]; });
  return true;
}

}  // namespace warpwise::machine
