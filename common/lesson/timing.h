#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "lesson/device_array.h"

/// \file
/// Times of a real GPU: events around each launch, the L2 cache overwritten before it.
/// \ingroup lesson
namespace warpwise::lesson {

/// Times of one thing, run several times.
struct Timing {
  double median_us = 0;
  double q1_us = 0;  ///< a quarter of the runs was faster.
  double q3_us = 0;  ///< a quarter was slower.
  int runs = 0;
};

/// Median and quartiles. @pre at least one value.
Timing summarise(std::vector<double> microseconds);

/// How often to run what takes this long: about 0.2 s, between 11 and 201 times, an odd number.
int runs_for(double microseconds);

/// A clock that says when to stop: no measurement of one thing takes much longer than this.
class Patience {
 public:
  /// @param seconds of wall time from now on.
  explicit Patience(double seconds);
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
  /// cudaMemcpy from device to device that reads and writes `bytes` together.
  Timing measure_copy(std::size_t bytes);

 private:
  DeviceBytes flushed_;
  void* start_ = nullptr;  ///< cudaEvent_t.
  void* stop_ = nullptr;
  unsigned char turn_ = 0;
};

}  // namespace warpwise::lesson
