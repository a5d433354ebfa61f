#include <algorithm>
#include <bit>

#include "simulator/machine/block_runner.h"
#include "simulator/machine/schedule/idle_turns.h"

namespace warpwise::machine {
namespace {

/// True in a call of a function from within itself.
bool is_recursive(const CallFrame& frame) {
  for (const CallFrame* caller = frame.caller; caller; caller = caller->caller)
    if (frame.function && caller->function == frame.function) return true;
  return false;
}

using code::Op;

}  // namespace

void BlockRunner::run_warp(unsigned index) {
  turn_to(index);
  polls_ = 0;
  times_ = 1;
  counters_.start_run();
  Group* group = nullptr;
  while (polls_ < most_polls && (group = choose_group()) != nullptr) {
    if (trace_)
      execute<true>(*group);
    else
      execute<false>(*group);
  }
  counters_.end_run();
}

/// Tells the trace where the group is.
void BlockRunner::trace_step(const Group& group, std::uint32_t pc, std::uint32_t mask) {
  trace_->step({.pc = pc,
                .layout = &group.frame->layout,
                .registers = group.frame->registers(),
                .live = warp_->live,
                .active = group.mask,
                .mask = mask});
}

/// The least advanced group runs; one that has polled for long lets the others go first.
Group* BlockRunner::choose_group() {
  Group* chosen = nullptr;
  for (Group& group : warp_->groups) {
    if (group.state != Group::State::ready) continue;
    bool is_next = !chosen || (idle_turns(group) != idle_turns(*chosen)
                                   ? idle_turns(group) < idle_turns(*chosen)
                                   : warp_->goes_first(group, *chosen));
    if (is_next) chosen = &group;
  }
  return chosen;
}

/// The loop over instructions. A trace costs nothing where none is wanted: it has a loop of its
/// own.
template <bool is_traced>
void BlockRunner::execute(Group& first) {
  const code::Instruction* const code = program_.code.data();
  Group* group = group_ = &first;
  std::uint32_t pc = group->pc;
  own_turn_ = {};
  spin_waits_.begin_run();
  warp_->use(*group->frame);
  for (;;) {
    const code::Instruction& instruction = code[pc];
    const std::uint32_t mask =
        instruction.guard == code::no_slot ? group->mask : guarded(instruction, group->mask);
    if constexpr (is_traced) trace_step(*group, pc, mask);
    switch (instruction.op) {
      case Op::lanes:
        lanes(instruction, mask);
        break;
      case Op::enter:
        group->pc = pc;
        if (!own_turn_.includes(pc) && warp_->groups.size() > 1 && yields_at_entry(*group)) return;
        if (polls_ >= most_polls) return;
        counters_.basic_block(instruction.target, std::popcount(group->mask));
        block_->spent += program_.block_sizes[instruction.target] * std::popcount(group->mask);
        if (block_->spent >= block_->next_look) budget_.look(*group);
        break;
      case Op::store:
      case Op::atomic:
        if (mask && !spin_reads_before_writes_.empty() &&
            spin_reads_before_writes_.lets_others_read(program_.accesses[instruction.access],
                                                       mask)) {
          group->pc = pc;
          polls_ = most_polls;
          return;
        }
        [[fallthrough]];
      case Op::load:
        current_ = &instruction;
        if (!mask) break;
        accesses_.execute(instruction, program_.accesses[instruction.access], mask);
        break;
      case Op::branch:
        group->pc = pc;
        if (mask == 0) break;
        if (mask != group->mask) {
          group = branch(*group, instruction, mask);
          if (!group) return;
          group_ = group;
          pc = group->pc;
          continue;
        }
        pc = instruction.target;
        continue;
      case Op::call:
        group->pc = pc;
        current_ = &instruction;
        if (mask == 0) break;
        if (!calls_.call(*group, instruction, mask)) return;
        own_turn_ = {};
        pc = group->pc;
        continue;
      case Op::ret:
        group->pc = pc;
        if (mask == 0) break;
        if (!calls_.return_lanes(*group, mask)) return;
        own_turn_ = {};
        pc = group->pc;
        continue;
      case Op::exit:
        if (mask == 0) break;
        calls_.leave_calls(*group->frame, mask);
        group->pc = pc + 1;
        group->mask &= ~mask;
        return exit_lanes(mask);
      case Op::trap:
        current_ = &instruction;
        if (mask) fault(finding("trap", deadlocks_.trap_text(), std::countr_zero(mask)));
        break;
      case Op::barrier:
      case Op::warp_barrier:
      case Op::shuffle:
      case Op::vote:
      case Op::matrix:
      case Op::operation:
        group->pc = pc;
        current_ = &instruction;
        own_turn_ = {};
        if (mask && !meet(*group, instruction, mask)) {
          if constexpr (is_traced) trace_->waits();
          return;
        }
        break;
      case Op::activemask: {
        auto* d = reinterpret_cast<std::uint32_t*>(warp_->slot(instruction.d));
        for (int lane = 0; lane < 32; ++lane)
          if (mask >> lane & 1) d[lane] = mask;
        break;
      }
      case Op::print:
        current_ = &instruction;
        counters_.library_call();
        printing_.print(instruction, mask);
        break;
      case Op::assert_fail:
        current_ = &instruction;
        if (mask) printing_.assert_fail(instruction, mask);
        break;
      case Op::heap_allocate:
        current_ = &instruction;
        counters_.library_call();
        heap_.allocate(instruction, mask);
        break;
      case Op::heap_free:
        current_ = &instruction;
        counters_.library_call();
        heap_.release(instruction, mask);
        break;
      case Op::device_runtime:
        current_ = &instruction;
        counters_.library_call();
        runtime_questions_.ask(instruction, mask);
        break;
      case Op::stack_allocate:
        current_ = &instruction;
        if (mask) calls_.stack_allocate(instruction, mask);
        break;
      case Op::stack_save:
        calls_.stack_save(instruction, mask);
        break;
      case Op::stack_restore:
        if (mask) calls_.stack_restore(instruction, mask);
        break;
      case Op::fence:
        current_ = &instruction;
        spin_waits_.poll(0);
        if (!mask) break;
        counters_.fence(instruction.access);
        if (block_->order)
          block_->order->fence(warp_index_, mask, static_cast<code::Scope>(instruction.mode));
        break;
      case Op::sleep:
        current_ = &instruction;
        if (mask) spin_waits_.sleep(instruction, mask);
        break;
      case Op::clock:
        if (mask) specials_.read_clock(instruction, mask);
        break;
      case Op::nothing:
        if (mask)
          other_launches_.at_grid_control(static_cast<code::GridControl>(instruction.mode), mask);
        break;
    }
    ++pc;
  }
}

/// Instructions at which a group may have to wait.
/// @return false where it has to.
bool BlockRunner::meet(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  switch (instruction.op) {
    case Op::barrier:
      return barriers_.execute(group, instruction, mask);
    case Op::warp_barrier:
      return warp_meetings_.warp_barrier(group, instruction, mask);
    case Op::shuffle:
      return warp_meetings_.shuffle(group, instruction, mask);
    case Op::vote:
      return warp_meetings_.vote(group, instruction, mask);
    case Op::matrix:
      return matrices_.execute(group, instruction, mask);
    default:
      return operation(group, instruction, mask);
  }
}

/// At the start of a basic block groups at the same place become one, and less advanced ones go
/// first.
/// @return true where the group is gone or has to wait for its turn.
bool BlockRunner::yields_at_entry(Group& group) {
  own_turn_ = turn_of(group);
  if (own_turn_.includes(group.pc)) return false;
  for (Group& other : warp_->groups) {
    if (&other == &group || !warp_->join(other, group)) continue;
    counters_.meeting(other.pc);
    warp_->drop_empty_groups();
    return true;
  }
  return choose_group() != &group;
}

/// Where, as long as no group waits for anything else than now, the group meets none and is the one
/// to run.
OwnTurn BlockRunner::turn_of(const Group& group) const {
  OwnTurn turn{0, ~0u};
  for (const Group& other : warp_->groups) {
    if (&other == &group || other.state != Group::State::ready) continue;
    if (idle_turns(other) != idle_turns(group)) return {};
    turn = turn.within(warp_->turn_before(group, other));
    if (!turn.includes(group.pc)) return {};
  }
  return turn;
}

/// Some lanes go one way, others another.
/// @return the group of the two that goes on at once; null where that has to be found out.
Group* BlockRunner::branch(Group& group, const code::Instruction& instruction,
                           std::uint32_t taken) {
  counters_.divergent_branch(group.pc);
  if (is_recursive(*group.frame)) counters_.parted_for_longer();
  const OwnTurn others = warp_->groups.size() == 1 ? OwnTurn{0, ~0u} : own_turn_;
  const bool stays = warp_->groups.size() < warp_->groups.capacity();  // else groups move
  Group other = group;
  other.mask = taken;
  other.pc = instruction.target;
  group.mask &= ~taken;
  ++group.pc;
  const std::size_t at = static_cast<std::size_t>(&group - warp_->groups.data());
  Group& added = warp_->groups.emplace_back(other);
  Group& parted = warp_->groups[at];
  Group& next = warp_->part(
      parted, added, instruction.access ? &program_.partings[instruction.access - 1] : nullptr);
  if (!stays || polls_ >= most_polls || !others.includes(next.pc)) return nullptr;
  own_turn_ = others.within(warp_->turn_before(next, &next == &added ? parted : added));
  return &next;
}

/// Takes the lanes, which no group holds any more, out of the warp. Groups move.
void BlockRunner::exit_lanes(std::uint32_t lanes) {
  warp_->live &= ~lanes;
  warp_->cluster_arrived &= ~lanes;
  warp_->cluster_held &= ~lanes;
  block_->live_threads -= std::popcount(lanes);
  // A barrier of the block opens when the others have come or ended.
  if (block_->order && !warp_->live && block_->live_threads)
    block_->order->arrive(1u << warp_index_, 0);
  warp_->drop_empty_groups();
  warp_meetings_.wake_warp_sync();
}

}  // namespace warpwise::machine
