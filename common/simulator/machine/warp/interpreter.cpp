#include <algorithm>
#include <bit>

#include "simulator/machine/schedule/patience.h"
#include "simulator/machine/worker.h"

namespace warpwise::machine {
namespace {

/// True in a call of a function from within itself.
bool is_recursive(const Frame& frame) {
  for (const Frame* caller = frame.caller; caller; caller = caller->caller)
    if (frame.function && caller->function == frame.function) return true;
  return false;
}

using code::Op;

}  // namespace

void Worker::turn_to(unsigned index) {
  warp_index_ = index;
  warp_ = &block_->warps[index];
  watch::Trace* wanted = grid_.options.trace;
  trace_ = wanted && wanted->follows(block_->index, index) ? wanted : nullptr;
}

void Worker::run_warp(unsigned index) {
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
void Worker::trace_step(const Group& group, std::uint32_t pc, std::uint32_t mask) {
  trace_->step({.pc = pc,
                .layout = &group.frame->layout,
                .registers = group.frame->registers(),
                .live = warp_->live,
                .active = group.mask,
                .mask = mask});
}

/// The least advanced group runs; one that has polled for long lets the others go first.
Group* Worker::choose_group() {
  Group* chosen = nullptr;
  for (Group& group : warp_->groups) {
    if (group.state != Group::State::ready) continue;
    bool is_next =
        !chosen || (patience(group) != patience(*chosen) ? patience(group) < patience(*chosen)
                                                         : warp_->goes_first(group, *chosen));
    if (is_next) chosen = &group;
  }
  return chosen;
}

/// The loop over instructions. A trace costs nothing where none is wanted: it has a loop of its
/// own.
template <bool is_traced>
void Worker::execute(Group& first) {
  const code::Instruction* const code = program_.code.data();
  Group* group = group_ = &first;
  std::uint32_t pc = group->pc;
  own_turn_ = {};
  ++runs_;
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
        if (block_->spent >= block_->next_look) look_at_budget(*group);
        break;
      case Op::store:
      case Op::atomic:
        if (mask && !looks_.empty() &&
            lets_others_look(program_.accesses[instruction.access], mask)) {
          group->pc = pc;
          polls_ = most_polls;
          return;
        }
        [[fallthrough]];
      case Op::load:
        current_ = &instruction;
        if (!mask) break;
        memory_access(instruction, program_.accesses[instruction.access], mask);
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
        if (!call(*group, instruction, mask)) return;
        own_turn_ = {};
        pc = group->pc;
        continue;
      case Op::ret:
        group->pc = pc;
        if (mask == 0) break;
        if (!return_lanes(*group, mask)) return;
        own_turn_ = {};
        pc = group->pc;
        continue;
      case Op::exit:
        if (mask == 0) break;
        leave_calls(*group->frame, mask);
        group->pc = pc + 1;
        group->mask &= ~mask;
        return exit_lanes(mask);
      case Op::trap:
        current_ = &instruction;
        if (mask) fault(finding("trap", trap_text(), std::countr_zero(mask)));
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
        if (mask) stack_allocate(instruction, mask);
        break;
      case Op::stack_save:
        stack_save(instruction, mask);
        break;
      case Op::stack_restore:
        if (mask) stack_restore(instruction, mask);
        break;
      case Op::fence:
        current_ = &instruction;
        poll(0);
        if (!mask) break;
        counters_.fence(instruction.access);
        if (block_->order)
          block_->order->fence(warp_index_, mask, static_cast<code::Scope>(instruction.mode));
        break;
      case Op::sleep:
        current_ = &instruction;
        if (mask) sleep(instruction, mask);
        break;
      case Op::clock:
        if (mask) read_clock(instruction, mask);
        break;
      case Op::nothing:
        if (early_ && mask) at_grid_control(static_cast<code::GridControl>(instruction.mode), mask);
        break;
    }
    ++pc;
  }
}

/// Instructions at which a group may have to wait.
/// @return false where it has to.
bool Worker::meet(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  switch (instruction.op) {
    case Op::barrier:
      return barrier(group, instruction, mask);
    case Op::warp_barrier:
      return warp_barrier(group, instruction, mask);
    case Op::shuffle:
      return shuffle(group, instruction, mask);
    case Op::vote:
      return vote(group, instruction, mask);
    case Op::matrix:
      return matrix(group, instruction, mask);
    default:
      return operation(group, instruction, mask);
  }
}

/// At the start of a basic block groups at the same place become one, and less advanced ones go
/// first.
/// @return true where the group is gone or has to wait for its turn.
bool Worker::yields_at_entry(Group& group) {
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
OwnTurn Worker::turn_of(const Group& group) const {
  OwnTurn turn{0, ~0u};
  for (const Group& other : warp_->groups) {
    if (&other == &group || other.state != Group::State::ready) continue;
    if (patience(other) != patience(group)) return {};
    turn = turn.within(warp_->turn_before(group, other));
    if (!turn.includes(group.pc)) return {};
  }
  return turn;
}

/// Some lanes go one way, others another.
/// @return the group of the two that goes on at once; null where that has to be found out.
Group* Worker::branch(Group& group, const code::Instruction& instruction, std::uint32_t taken) {
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

/// Counts a sign of waiting. To look at the same place again where nothing has changed since is a
/// strong one: then a few iterations of a loop are enough.
void Worker::poll(std::uint64_t address, std::uint32_t weight) {
  constexpr std::uint32_t repeated = most_polls / 32;
  auto pc = static_cast<std::uint32_t>(current_ - program_.code.data());
  Group::Poll& last = group_->last_poll;
  if (address) group_->looked_pc = pc, group_->looked_address = address;
  const bool is_repeated = last.pc == pc && last.address == address;
  const std::uint64_t changes =
      address && looks_at_global(address) ? changes_for_others() : changes_;
  if (is_repeated && last.changes == changes)
    weight = std::max(weight, repeated);
  else if (last.changes != changes || group_->polls == 0)
    last = {pc, address, changes};
  if (is_repeated && address) weight *= times_ = rounds_alike(address, weight);
  const std::uint32_t before = patience(*group_);
  group_->polls += weight;
  if (patience(*group_) != before) own_turn_ = {};
  polls_ += weight;
}

/// The group waits, as the hardware lets it at an mbarrier: all others have their turns before it
/// looks again, so that waiting uses next to none of the launch's budget.
void Worker::give_way() {
  group_->polls += most_polls;
  polls_ = most_polls;
  own_turn_ = {};
}

/// @param address that the current access looks at.
bool Worker::looks_at_global(std::uint64_t address) const {
  const code::Space space = program_.accesses[current_->access].space;
  return space == code::Space::global ||
         (space == code::Space::generic && address < code::shared_window);
}

/// Shared memory is its block's alone, but in a cluster.
void Worker::note_changes(code::Space space, std::uint32_t changes) {
  changes_ += changes;
  if (space == code::Space::shared && grid_.cluster_blocks == 1) changes_within_ += changes;
}

/// Rounds of a loop that waits in which nothing changes: the group is about to look at memory
/// again.
/// @param weight of each as a sign of waiting.
/// @return how many follow each other, this one with them, until the group or the warp has waited
/// for long. Counted is all that they do but the access.
std::uint32_t Worker::rounds_alike(std::uint64_t address, std::uint32_t weight) {
  const code::Access& access = program_.accesses[current_->access];
  // A release publishes something else each time.
  const bool releases = access.is_store && (access.order == code::Order::release ||
                                            access.order == code::Order::acquire_release);
  if (!grid_.has_one_history || grid_.options.runs_every_round || trace_ ||
      !looks_at_global(address) || releases || warp_->undefined().any() || polls_ >= most_polls)
    return 1;
  const Round::Look look{runs_,
                         static_cast<std::uint32_t>(current_ - program_.code.data()),
                         changes_,
                         accesses_,
                         diagnoses_.told(),
                         block_->spent};
  if (!round_.is_again(look, *group_, counters_)) {
    round_.begin(look, *group_, counters_);
    return 1;
  }
  const std::uint64_t spent = std::max<std::uint64_t>(1, round_.spent(look));
  const std::uint64_t until_look =
      block_->next_look > block_->spent ? (block_->next_look - block_->spent - 1) / spent : 0;
  const std::uint32_t left = most_polls - std::max(polls_, group_->polls % most_polls);
  const std::uint64_t more = std::min<std::uint64_t>(until_look, (left - 1) / weight);
  counters_.repeat_since(round_.mark(), more);
  block_->spent += more * spent;
  accesses_ += more;
  round_.forget();
  return static_cast<std::uint32_t>(more) + 1;
}

/// Takes the lanes, which no group holds any more, out of the warp. Groups move.
void Worker::exit_lanes(std::uint32_t lanes) {
  warp_->live &= ~lanes;
  warp_->cluster_arrived &= ~lanes;
  warp_->cluster_held &= ~lanes;
  block_->live_threads -= std::popcount(lanes);
  // A barrier of the block opens when the others have come or ended.
  if (block_->order && !warp_->live && block_->live_threads)
    block_->order->arrive(1u << warp_index_, 0);
  warp_->drop_empty_groups();
  wake_warp_sync();
}

}  // namespace warpwise::machine
