#include "simulator/machine/warp/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

/// A GPU gives a thread at most 512 KiB of local memory.
constexpr std::uint32_t most_stack_bytes = 512 << 10;

/// The stack of a call in addition to the function's arrays, where no compiled code says it: the
/// least that ptxas makes of a function that calls another, for its return address and a saved
/// register. Frames of compiled code are often larger, so that a stack that is too small here is
/// too small on a GPU.
constexpr std::uint32_t call_bytes = 16;

std::uint32_t aligned(std::uint32_t value, std::uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// The bytes that a frame has taken with alloca.
std::uint32_t allocated_in(const CallFrame& frame) {
  return frame.top - frame.base - frame.layout.local_bytes;
}

/// Bytes of stack to the end of the frame.
std::uint32_t stack_of(const CallFrame& frame) { return frame.stack + allocated_in(frame); }

/// Bytes of stack to the end of the frame that a GPU surely needs. In what ptxas says of the
/// kernel, all is contained that it calls, be it by address, but for functions that call
/// themselves, maybe through others: of these calls there may be any number.
std::uint64_t needed_stack(const CallFrame& last) {
  std::unordered_map<const code::Function*, unsigned> outermost;
  unsigned place = 0;
  for (const CallFrame* frame = &last; frame->call; frame = frame->caller)
    outermost[frame->function] = place++;
  std::uint64_t bytes = 0;
  unsigned calls_itself_to = 0;
  place = 0;
  for (const CallFrame* frame = &last;; frame = frame->caller, ++place) {
    bytes += allocated_in(*frame);
    if (!frame->call) return bytes + frame->stack;
    const unsigned first = outermost[frame->function];
    if (first > place) calls_itself_to = std::max(calls_itself_to, first);
    if (calls_itself_to > 0 && place <= calls_itself_to)
      bytes += frame->stack - stack_of(*frame->caller);
  }
}

}  // namespace

/// The bytes of stack that a thread has: for a kernel that is known to take more than the limit,
/// that.
std::uint64_t Calls::stack_room() const {
  return std::max<std::uint64_t>(here_.grid_.options.stack_bytes, here_.program_.known_stack_bytes);
}

/// @param top how far local memory would reach.
/// @param bytes of these, what counts as stack: not what compiled code passes in registers, nor
/// arrays of the kernel that it keeps there.
void Calls::report_stack_overflow(std::uint32_t depth, std::uint32_t lanes, std::uint64_t top,
                                  std::uint64_t bytes) {
  auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  const bool too_small = top <= most_stack_bytes;
  const std::string room =
      too_small
          ? fmt::format(
                "its stack has {}. Does the recursion end? If so, call "
                "cudaDeviceSetLimit(cudaLimitStackSize, bytes) before the launch.",
                stack_room())
          : fmt::format("a GPU has room for {} at most. Does the recursion end?", most_stack_bytes);
  here_.fault(here_.finding(
      "out-of-bounds",
      fmt::format("thread {} needs {} bytes of stack or more, {} calls deep; {}",
                  here_.thread_text(here_.warp_index_ * 32 + lane), bytes, depth, room),
      lane));
}

void Calls::check_stack(const CallFrame& last, std::uint32_t lanes) {
  const std::uint64_t needed = needed_stack(last);
  if (needed > stack_room()) report_stack_overflow(last.depth, lanes, last.top, needed);
}

/// Copies values between the frames of caller and callee.
void Calls::pass(const CallFrame& from, const std::vector<code::Piece>& sources,
                 const CallFrame& to, const std::vector<code::Piece>& destinations,
                 std::uint32_t lanes) {
  std::size_t count = std::min(sources.size(), destinations.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bytes = std::min(sources[i].bytes, destinations[i].bytes);
    std::uint64_t source = from.base + sources[i].offset, target = to.base + destinations[i].offset;
    if (uninitialized_.any_passed())
      uninitialized_.move_passed(static_cast<std::uint32_t>(source),
                                 static_cast<std::uint32_t>(target), bytes, lanes);
    if (bytes == 4)
      for_lanes(lanes, [&](unsigned lane) {
        std::memcpy(here_.warp_->local(lane, target), here_.warp_->local(lane, source), 4);
      });
    else
      for_lanes(lanes, [&](unsigned lane) {
        std::memcpy(here_.warp_->local(lane, target), here_.warp_->local(lane, source), bytes);
      });
  }
}

/// Makes the frame of a call: registers, special registers, stack, arguments. Lanes that come late
/// to a call in which others of their warp still are share its frame, so that they can meet there:
/// the others may wait for them in a shuffle.
CallFrame& Calls::enter_function(CallFrame& caller, const code::Call& call, std::uint32_t function,
                                 std::uint32_t return_pc, std::uint32_t lanes) {
  const code::Function& callee = here_.program_.functions[function];
  std::uint32_t base = aligned(caller.top, 16) + call_bytes, top = base + callee.local_bytes;
  const std::uint32_t stack =
      stack_of(caller) +
      callee.compiled_stack_bytes.value_or(call_bytes + callee.local_bytes - callee.passed_bytes);
  if (top > most_stack_bytes) report_stack_overflow(caller.depth + 1, lanes, top, stack);
  if (CallFrame* open = here_.warp_->open_call(caller, call, callee, return_pc);
      open && open->base == base && open->top == top && !(open->entered & lanes)) {
    open->lanes |= lanes;
    open->entered |= lanes;
    here_.warp_->use(*open);
    begin_call(caller, call, callee, *open, lanes);
    return *open;
  }
  CallFrame& frame = here_.warp_->take_frame(function);
  frame.caller = &caller;
  frame.call = &call;
  frame.return_pc = return_pc;
  frame.depth = caller.depth + 1;
  frame.lanes = frame.entered = lanes;
  bool moved = frame.base != base;
  frame.base = base;
  frame.top = top;
  frame.stack = stack;
  if (stack > stack_room()) check_stack(frame, lanes);
  frame.start();
  here_.warp_->use(frame);
  if (frame.block != here_.block_->index) {
    if (frame.block == ~0ull) specials_.set(here_.warp_index_, Specials::Of::grid);
    specials_.set(here_.warp_index_, Specials::Of::block);
    frame.block = here_.block_->index;
    moved = true;
  }
  if (moved) specials_.set(here_.warp_index_, Specials::Of::call);
  begin_call(caller, call, callee, frame, lanes);
  return frame;
}

/// Gives the lanes their part of the frame's stack, and their arguments.
void Calls::begin_call(const CallFrame& caller, const code::Call& call,
                       const code::Function& callee, const CallFrame& frame, std::uint32_t lanes) {
  here_.warp_->grow_stack(frame.base + callee.passed_bytes, frame.top, lanes);
  here_.warp_->define_local(frame.base, frame.base + callee.passed_bytes, lanes);
  pass(caller, call.arguments, frame, callee.parameters, lanes);
}

/// The function that the lanes' pointers name: those that name another wait for the next round.
std::uint32_t Calls::called_function(const code::Instruction& instruction, std::uint32_t& lanes) {
  const code::Call& call = here_.program_.calls[instruction.target];
  auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  std::uint32_t function = call.function;
  if (function == code::Call::by_address) {
    const auto* addresses =
        reinterpret_cast<const std::uint64_t*>(here_.warp_->slot(instruction.s[0]));
    const std::uint64_t address = addresses[lane];
    std::uint32_t same = 0;
    for_lanes(lanes, [&](unsigned other) {
      if (addresses[other] == address) same |= 1u << other;
    });
    lanes = same;
    auto found = here_.program_.function_addresses.find(address);
    if (found == here_.program_.function_addresses.end()) {
      bool is_null = address == 0;
      watch::Finding bad = here_.finding(
          is_null ? "null-pointer" : "host-pointer",
          is_null ? fmt::format("thread {} calls a function through a null pointer.",
                                here_.thread_text(here_.warp_index_ * 32 + lane))
                  : fmt::format("thread {} calls address 0x{:x}, where no device function of this "
                                "program is. Take a __device__ function's address in device code.",
                                here_.thread_text(here_.warp_index_ * 32 + lane), address),
          lane);
      bad.count = std::popcount(lanes);
      here_.fault(std::move(bad));
    }
    function = found->second;
  }
  if (const std::string& why = here_.program_.functions[function].unavailable; !why.empty())
    here_.fault(here_.finding("unsupported", why, lane));
  return function;
}

bool Calls::call(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  const code::Call& call = here_.program_.calls[instruction.target];
  CallFrame& caller = *group.frame;
  const std::uint32_t return_pc = group.pc + 1;
  if (here_.warp_->undefined().any() && instruction.s[0] != code::no_slot)
    uninitialized_.use_value(instruction.s[0], mask);
  std::uint32_t lanes = mask, function = called_function(instruction, lanes);
  if (lanes == group.mask) {
    group.frame = &enter_function(caller, call, function, return_pc, lanes);
    group.pc = here_.program_.functions[function].entry;
    return true;
  }
  here_.counters_.divergent_branch(group.pc);
  Group rest = group;
  rest.mask = group.mask & ~mask;
  rest.pc = return_pc;
  Group others = group;
  for (std::uint32_t left = mask; left; left &= ~lanes) {
    here_.warp_->use(caller);
    lanes = left;
    function = called_function(instruction, lanes);
    if (lanes != mask) here_.counters_.parted_for_longer();
    Group entered = others;
    entered.mask = lanes;
    others.mask = left & ~lanes;
    if (others.mask) here_.warp_->part(others, entered, &call.parting);
    entered.frame = &enter_function(caller, call, function, return_pc, lanes);
    entered.pc = here_.program_.functions[function].entry;
    here_.warp_->groups.push_back(entered);
  }
  // The vector may have moved: the group is found again by its lanes.
  auto original =
      std::find_if(here_.warp_->groups.begin(), here_.warp_->groups.end(), [&](const Group& g) {
        return g.frame == &caller && g.pc == return_pc - 1 && (g.mask & mask) == mask;
      });
  rest.side = original->side;
  *original = rest;
  here_.warp_->drop_empty_groups();
  return false;
}

bool Calls::return_lanes(Group& group, std::uint32_t mask) {
  CallFrame& frame = *group.frame;
  CallFrame& caller = *frame.caller;
  pass(frame, frame.function->results, caller, frame.call->results, mask);
  Group back = group;
  back.frame = &caller;
  back.pc = frame.return_pc;
  back.mask = mask;
  here_.warp_->leave_frame(frame, mask);
  if (mask == group.mask) {
    group = back;
    here_.warp_->use(caller);
    return here_.warp_->groups.size() == 1;
  }
  group.mask &= ~mask;
  ++group.pc;
  here_.warp_->groups.push_back(back);
  return false;
}

void Calls::leave_calls(CallFrame& frame, std::uint32_t lanes) {
  for (CallFrame* left = &frame; left;) {
    CallFrame* caller = left->caller;
    here_.warp_->leave_frame(*left, lanes);
    left = caller;
  }
}

void Calls::stack_allocate(const code::Instruction& instruction, std::uint32_t mask) {
  auto size_of = [&](unsigned lane) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, here_.warp_->slot(instruction.s[0]) + lane * instruction.d_bytes,
                instruction.d_bytes);
    return bytes;
  };
  CallFrame& frame = here_.warp_->frame();
  std::uint64_t most = 0;
  for_lanes(mask, [&](unsigned lane) { most = std::max(most, size_of(lane)); });
  std::uint64_t base = aligned(frame.top, std::clamp(instruction.target, 16u, 4096u));
  const std::uint64_t top = base + std::min<std::uint64_t>(most, ~0u);
  if (top > most_stack_bytes)
    report_stack_overflow(frame.depth, mask, top, stack_of(frame) + (top - frame.top));
  frame.top = static_cast<std::uint32_t>(top);
  if (stack_of(frame) > stack_room()) check_stack(frame, mask);
  here_.warp_->grow_stack(static_cast<std::uint32_t>(base), frame.top, mask);
  for_lanes(mask, [&](unsigned lane) {
    std::memcpy(here_.warp_->slot(instruction.d) + lane * instruction.d_bytes, &base,
                instruction.d_bytes);
  });
}

void Calls::stack_save(const code::Instruction& instruction, std::uint32_t mask) {
  std::uint64_t top = here_.warp_->frame().top;
  for_lanes(mask, [&](unsigned lane) {
    std::memcpy(here_.warp_->slot(instruction.d) + lane * instruction.d_bytes, &top,
                instruction.d_bytes);
  });
}

void Calls::stack_restore(const code::Instruction& instruction, std::uint32_t mask) {
  CallFrame& frame = here_.warp_->frame();
  if (mask != frame.lanes) return;
  std::uint64_t top = 0;
  std::memcpy(&top,
              here_.warp_->slot(instruction.s[0]) + std::countr_zero(mask) * instruction.d_bytes,
              instruction.d_bytes);
  std::uint64_t lowest = frame.base + frame.layout.local_bytes;
  if (top >= lowest && top <= frame.top) frame.top = static_cast<std::uint32_t>(top);
}

}  // namespace warpwise::machine
