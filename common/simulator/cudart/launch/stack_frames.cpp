#include "simulator/cudart/launch/stack_frames.h"

#include <pthread.h>
#include <sys/auxv.h>
#include <unwind.h>

#include "simulator/cudart/report/call_site.h"

namespace warpwise::cudart {
namespace {

struct Stack {
  std::uint64_t begin = 0, end = 0;
  bool holds(std::uint64_t address) const { return address >= begin && address < end; }
};

/// The stack of this thread, as the system made it; empty where the system does not say.
Stack find_stack() {
  Stack stack;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return stack;
  void* begin = nullptr;
  std::size_t bytes = 0;
  if (pthread_attr_getstack(&attributes, &begin, &bytes) == 0) {
    stack.begin = reinterpret_cast<std::uint64_t>(begin);
    stack.end = stack.begin + bytes;
  }
  pthread_attr_destroy(&attributes);
  return stack;
}

struct Wanted {
  std::uint64_t address;
  std::uint64_t begin = 0;  ///< the start of the last caller's frame seen
  std::optional<StackPlace> found;
};

// A context knows where its frame begins: there the frame of the function it called ends.
_Unwind_Reason_Code look(_Unwind_Context* context, void* data) {
  auto& wanted = *static_cast<Wanted*>(data);
  if (is_own_code(_Unwind_GetIP(context))) return _URC_NO_REASON;
  const std::uint64_t begin = _Unwind_GetCFA(context);
  if (wanted.address < begin)
    wanted.found = wanted.begin == 0 ? StackPlace{.is_left = true} : StackPlace{.end = begin};
  wanted.begin = begin;
  return wanted.found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

std::optional<StackPlace> stack_place(std::uint64_t address) {
  static thread_local const Stack stack = find_stack();
  // A program may have replaced the system's stack with its own.
  const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  if (!stack.holds(address) || !stack.holds(here)) return std::nullopt;
  // Where the library is a part of the program, its frames cannot be distinguished from the
  // program's.
  static const bool is_part_of_program = is_own_code(getauxval(AT_ENTRY));
  if (is_part_of_program) return std::nullopt;
  Wanted wanted{address, 0, {}};
  _Unwind_Backtrace(look, &wanted);
  return wanted.found;
}

}  // namespace warpwise::cudart
