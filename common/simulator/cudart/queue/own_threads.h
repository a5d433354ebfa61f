#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

/// Distinguishes the library's threads from the program's.
namespace warpwise::cudart {

/// Gives the calling thread a name by which it is known as the library's.
/// @param what it does, in up to six letters.
void name_own_thread(const char* what);

/// Threads of the program.
struct ProgramThreads {
  std::size_t all = 0;
  /// Threads that go on only if another thread of the process wakes them: they wait for a lock, a
  /// condition or a thread's end, without a time limit. 0 where the system does not report it.
  std::size_t asleep = 0;
  /// How often they have stopped: a thread that did something meanwhile has changed this count.
  std::uint64_t stops = 0;
  bool sleep_is_known = true;
};

/// Nothing where the system does not report them.
std::optional<ProgramThreads> program_threads();

/// How many threads the program has. They are counted only where the process has more or fewer than
/// the last time. Nothing where the system does not report them.
std::optional<std::size_t> count_program_threads();

/// True where a thread of the program runs, or is ready to run: other threads have the processor,
/// or its data has to come from a disk. False where the system does not report it.
bool program_is_ready();

}  // namespace warpwise::cudart
