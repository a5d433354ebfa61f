#include "simulator/machine/warp/warp.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "simulator/machine/warp/lanes.h"
#include "simulator/memory/address_space.h"

namespace warpwise::machine {

namespace {

/// Lanes that never all meet, as in a kernel with locks, would leave more and more of them.
constexpr std::size_t most_partings = 1024;

/// Where two groups are in the innermost call that both are in. A group in a callee is at its call
/// there, with that call still to be finished.
struct Places {
  struct Place {
    const CallFrame* frame;
    std::uint32_t pc;
    void leave() {
      pc = frame->return_pc - 1;
      frame = frame->caller;
    }
  } a, b;

  Places(const Group& of_a, const Group& of_b) : a{of_a.frame, of_a.pc}, b{of_b.frame, of_b.pc} {
    while (a.frame->depth > b.frame->depth) a.leave();
    while (b.frame->depth > a.frame->depth) b.leave();
    while (a.frame != b.frame) {
      a.leave();
      b.leave();
    }
  }
};

}  // namespace

bool is_less_advanced_elsewhere(const Group& a, const Group& b) {
  const Places at(a, b);
  if (at.a.pc != at.b.pc) return at.a.pc < at.b.pc;
  if (a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
  return a.pc < b.pc;
}

std::uint32_t first_turn(const Group& group, const Group& other) {
  if (other.frame == group.frame) return other.pc;
  const Places at(group, other);
  if (at.a.frame == group.frame) return at.b.pc;
  if (at.a.pc != at.b.pc) return at.a.pc < at.b.pc ? ~0u : 0;
  if (group.frame->depth != other.frame->depth)
    return group.frame->depth > other.frame->depth ? ~0u : 0;
  return other.pc;
}

Warp::Warp(const code::Program& program)
    : program_(&program), kernel_(new CallFrame(program)), spare_(program.functions.size()) {
  use(*kernel_);
}

void Warp::start(std::uint32_t lanes) {
  existing = live = lanes;
  products = {};
  cluster_arrived = cluster_held = 0;
  reconvergences.clear();
  // An abandoned block leaves its calls unfinished.
  for (std::vector<CallFrame*>& spare : spare_) spare.clear();
  for (const std::unique_ptr<CallFrame>& frame : frames_)
    spare_[static_cast<std::size_t>(frame->function - program_->functions.data())].push_back(
        frame.get());
  kernel_->start();
  kernel_->lanes = lanes;
  kernel_->top = program_->local_bytes;
  kernel_->stack = program_->frame_bytes;
  use(*kernel_);
  sides_.forget();
  groups.assign(1, Group{});
  groups[0].mask = lanes;
  groups[0].frame = kernel_.get();
  if (program_->local_bytes) grow_stack(0, program_->local_bytes, ~0u);
  define_local(0, program_->passed_bytes, ~0u);
}

CallFrame& Warp::take_frame(std::uint32_t function) {
  std::vector<CallFrame*>& spare = spare_[function];
  if (spare.empty()) {
    frames_.push_back(std::make_unique<CallFrame>(program_->functions[function]));
    frames_.back()->function = &program_->functions[function];
    return *frames_.back();
  }
  CallFrame& frame = *spare.back();
  spare.pop_back();
  return frame;
}

CallFrame* Warp::open_call(const CallFrame& caller, const code::Call& call,
                           const code::Function& function, std::uint32_t return_pc) const {
  if (groups.size() == 1) return nullptr;
  for (const Group& group : groups)
    for (CallFrame* frame = group.frame; frame->depth > caller.depth; frame = frame->caller)
      if (frame->caller == &caller && frame->call == &call && frame->function == &function &&
          frame->return_pc == return_pc)
        return frame;
  return nullptr;
}

Group& Warp::part(Group& group, Group& added, const code::Parting* parting) {
  if (!parting) return added.pc < group.pc ? added : group;
  if (sides_.size() == most_partings) {
    forget_sides();
    group.side = added.side = whole_warp;
  }
  const int lanes = std::popcount(group.mask), taking = std::popcount(added.mask);
  // Where a register or a table of the compiled code has the target, that of the first lane.
  const bool does_tie_go_to_added =
      parting->is_table && std::countr_zero(added.mask) < std::countr_zero(group.mask);
  const bool is_added_first = taking < lanes || (taking == lanes && does_tie_go_to_added);
  Group &first = is_added_first ? added : group, &second = is_added_first ? group : added;
  first.side = sides_.part(group.side, *group.frame, *parting, is_added_first);
  second.side = first.side + 1;
  return first;
}

OwnTurn Warp::turn_before(const Group& group, const Group& other) const {
  if (group.side != other.side) {
    if (sides_.goes_first(other, group)) return {};
    if (const auto standing = sides_.stands_first(group, other))
      return standing->frame == group.frame
                 ? OwnTurn{standing->stretch->first, standing->stretch->last}
                 : OwnTurn{0, ~0u};
  }
  return {0, first_turn(group, other)};
}

void Warp::forget_sides() {
  sides_.forget();
  for (Group& group : groups) group.side = whole_warp;
}

bool Warp::join(Group& into, Group& other) {
  const bool are_ready = into.state == Group::State::ready && other.state == Group::State::ready;
  if (!are_ready || !into.stands_with(other)) return false;
  into.mask |= other.mask;
  into.polls = std::min(into.polls, other.polls);
  if (into.looked_address == 0) into.take_looks_of(other);
  into.side = sides_.common(into.side, other.side);
  other.mask = 0;
  return true;
}

void Warp::join_groups() {
  for (std::size_t i = 0; i + 1 < groups.size(); ++i)
    for (std::size_t k = i + 1; k < groups.size(); ++k) join(groups[i], groups[k]);
  drop_empty_groups();
}

bool Warp::find_reconvergence(std::uint32_t lanes) {
  const auto found = std::find_if(reconvergences.begin(), reconvergences.end(),
                                  [&](const Reconvergence& one) { return one.of & lanes; });
  if (found == reconvergences.end()) return false;
  reconvergence = *found;
  reconvergences.erase(found);
  return true;
}

void Warp::drop_empty_groups() {
  std::erase_if(groups, [](const Group& group) { return group.mask == 0; });
  if (groups.size() <= 1) forget_sides();
}

void Warp::leave_frame(CallFrame& frame, std::uint32_t lanes) {
  frame.lanes &= ~lanes;
  if (frame.lanes == 0 && frame.caller)
    spare_[static_cast<std::size_t>(frame.function - program_->functions.data())].push_back(&frame);
}

void Warp::grow_stack(std::uint32_t from, std::uint32_t to, std::uint32_t lanes) {
  if (to > local_bytes_) {
    // The first stack is as large as the kernel needs; one that grows will grow again.
    std::size_t bytes = local_bytes_ ? std::max<std::size_t>(to, 2 * local_bytes_) : to;
    std::unique_ptr<std::byte[]> larger(new std::byte[32 * bytes]);
    std::unique_ptr<std::uint8_t[]> validity(new std::uint8_t[32 * bytes]);
    for (std::size_t lane = 0; lane < 32 && local_bytes_; ++lane) {
      std::memcpy(larger.get() + lane * bytes, local_.get() + lane * local_bytes_, local_bytes_);
      std::memcpy(validity.get() + lane * bytes, local_validity(lane, 0), local_bytes_);
    }
    local_ = std::move(larger);
    local_validity_ = std::move(validity);
    local_bytes_ = bytes;
  }
  if (to > from)
    for_lanes(lanes, [&](unsigned lane) {
      std::memset(local(lane, from), undefined_pattern, to - from);
      std::memset(local_validity(lane, from), static_cast<int>(memory::Validity::never_written),
                  to - from);
    });
}

void Warp::define_local(std::uint32_t from, std::uint32_t to, std::uint32_t lanes) {
  if (to <= from) return;
  const auto define = [&](auto bytes) {
    for_lanes(lanes, [&](unsigned lane) {
      std::memset(local_validity(lane, from), static_cast<int>(memory::Validity::defined), bytes);
    });
  };
  // The arguments of most functions are one store, with no call.
  switch (to - from) {
    case 4:
      return define(std::integral_constant<std::size_t, 4>());
    case 8:
      return define(std::integral_constant<std::size_t, 8>());
    case 16:
      return define(std::integral_constant<std::size_t, 16>());
    default:
      return define(to - from);
  }
}

}  // namespace warpwise::machine
