#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/function.h"
#include "lesson/device/device_array.h"
#include "lesson/device/sm_clock.h"
#include "report/timing.h"

/// \file
/// Times of a real GPU: events around each launch, the L2 cache overwritten before it; a rung and
/// its baseline in turns.
/// \ingroup lesson
namespace warpwise::lesson {

using report::Timing;

/// The work that is timed.
struct Work {
  std::function<void()> launch;
  std::function<void()> prepare = {};  ///< runs before each launch, is not timed, may be empty.
};

/// The times of a rung and its baseline in turns.
struct Turns {
  std::vector<double> baseline_us, rung_us;  ///< of each turn: the mean of both runs.
  double sm_mhz = 0;                         ///< as in Timing.
};

/// One turn: baseline, rung, rung, baseline. Each comes once at an odd and once at an even place,
/// and both at the same place on average. A launch that follows the overwriting of the L2 cache
/// finds it in one of two states; where these alternate, A B A B gives one to each: 7 % at 14 us.
void take_turn(Turns& turns, const std::function<double()>& baseline,
               const std::function<double()>& rung);

/// The rung's time, and the median of the turns' ratios. @pre at least one turn.
Timing timing_of_turns(const Turns& turns);

/// Median and quartiles. @pre at least one value.
Timing summarise(std::vector<double> microseconds);

/// How often to run what takes this long: about 0.2 s, between 11 and 201 times, an odd number.
int runs_for(double microseconds);

/// How many turns to take of what takes this long together: about 0.3 s, between 11 and 251, an odd
/// number.
int turns_for(double microseconds);

/// A clock that says when to stop: no measurement of one thing takes much longer than this.
class TimeBudget {
 public:
  /// @param seconds of wall time from now on.
  explicit TimeBudget(double seconds);
  bool is_over() const;

 private:
  // Every chapter includes this, and <chrono> would cost each half a second of compiling.
  std::int64_t end_ns_;
};

/// Measures launches on the current device's default stream.
class Timer {
 public:
  /// @param l2_bytes of the device: twice as much is written before each run.
  explicit Timer(std::size_t l2_bytes);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  /// One run, with a cold L2. @param prepare runs before, is not timed, may be empty.
  /// @return microseconds of the device.
  double once(const std::function<void()>& launch, const std::function<void()>& prepare = {});
  /// Warm-up, a pilot for the number of runs, then the runs; at least 3 of them, and no more than
  /// fit into 5 s.
  Timing measure(const std::function<void()>& launch, const std::function<void()>& prepare = {});
  /// Baseline and rung in turns: A B B A. The load of both decides the clock of both, so that their
  /// ratio does not depend on what ran before. Pairs for 0.2 s warm up and are not counted; then as
  /// many turns as turns_for() says, and no more than fit into 5 s.
  Turns in_turns(const Work& baseline, const Work& rung);
  /// cudaMemcpy from device to device that reads and writes `bytes` together; owns its memory.
  static Work copy_of(std::size_t bytes);

 private:
  /// Pairs until the clock has settled. @return microseconds of the last pair.
  double warm_up(const Work& baseline, const Work& rung);
  double timed(const Work& work, const std::function<void()>& in_flight);

  SmClock clock_;
  DeviceBytes flushed_;
  void* start_ = nullptr;  ///< cudaEvent_t.
  void* stop_ = nullptr;
  unsigned char turn_ = 0;
};

}  // namespace warpwise::lesson
