#include "simulator/cudart/queue/grace_period.h"

#include <time.h>

#include <algorithm>

#include "simulator/cudart/queue/own_threads.h"

namespace warpwise::cudart {
namespace {

using namespace std::chrono_literals;
using Clock = GracePeriod::Clock;

std::chrono::nanoseconds time_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Processor time of all threads except this one.
std::chrono::nanoseconds time_of_others() {
  return time_of(CLOCK_PROCESS_CPUTIME_ID) - time_of(CLOCK_THREAD_CPUTIME_ID);
}

/// Between two looks at the threads of the program.
Clock::duration between_looks(Clock::duration grace_period) {
  return std::max<Clock::duration>(grace_period / 20, 1ms);
}

}  // namespace

GracePeriod::Look GracePeriod::look() { return {Clock::now(), time_of_others, program_is_ready}; }

bool GracePeriod::is_over(std::uint64_t sequence, Clock::time_point issued,
                          Clock::duration grace_period, const Look& seen) {
  /// A program that has run for this fraction of the time without asking will not ask soon.
  constexpr int part = 5;
  /// The reason why it does not run for so long is not known here.
  constexpr int longest = 50;
  const Clock::time_point now = seen.now;
  if (now - issued < grace_period) return false;
  const std::chrono::nanoseconds had = seen.had();
  if (overdue_.sequence != sequence) overdue_ = {sequence, Clock::time_point{}, had, false};
  if (had - overdue_.had_before >= grace_period / part || now - issued >= longest * grace_period)
    return true;
  if (now - overdue_.looked < between_looks(grace_period)) return false;
  overdue_.looked = now;
  // At the first look, it may be waiting for a lock that is held during this query.
  const bool was_asleep = overdue_.was_asleep;
  overdue_.was_asleep = !seen.is_ready();
  return was_asleep && overdue_.was_asleep;
}

Clock::time_point GracePeriod::next_look(Clock::time_point issued,
                                         Clock::duration grace_period) const {
  return std::max(issued + grace_period, overdue_.looked + between_looks(grace_period));
}

}  // namespace warpwise::cudart
