#include "lesson/device/timing.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "lesson/device/error.h"

namespace warpwise::lesson {
namespace {

cudaEvent_t event(void* handle) { return static_cast<cudaEvent_t>(handle); }

/// The value at a fraction of the sorted values, between neighbours by proportion.
double quantile(const std::vector<double>& sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - std::floor(position)) * (sorted[above] - sorted[below]);
}

std::int64_t now_ns() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Timing summarise(std::vector<double> microseconds) {
  std::sort(microseconds.begin(), microseconds.end());
  return {quantile(microseconds, 0.5), quantile(microseconds, 0.25), quantile(microseconds, 0.75),
          static_cast<int>(microseconds.size())};
}

Timing timing_of_turns(const Turns& turns) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < turns.rung_us.size(); ++i) {
    ratios.push_back(turns.baseline_us[i] / turns.rung_us[i]);
  }
  Timing timing = summarise(turns.rung_us);
  timing.of_baseline = summarise(ratios).median_us;
  timing.sm_mhz = turns.sm_mhz;
  return timing;
}

int runs_for(double microseconds) {
  constexpr double wanted_us = 200e3;
  const double runs = microseconds > 0 ? wanted_us / microseconds : 201;
  return static_cast<int>(std::clamp(runs, 11.0, 201.0)) | 1;
}

int turns_for(double microseconds) {
  constexpr double wanted_us = 300e3;
  const double turns = microseconds > 0 ? wanted_us / microseconds : 251;
  return static_cast<int>(std::clamp(turns, 11.0, 251.0)) | 1;
}

void take_turn(Turns& turns, const std::function<double()>& baseline,
               const std::function<double()>& rung) {
  const double first = baseline();
  const double second = rung(), third = rung();
  turns.baseline_us.push_back((first + baseline()) / 2);
  turns.rung_us.push_back((second + third) / 2);
}

TimeBudget::TimeBudget(double seconds)
    : end_ns_(now_ns() + static_cast<std::int64_t>(seconds * 1e9)) {}

bool TimeBudget::is_over() const { return now_ns() >= end_ns_; }

Timer::Timer(std::size_t l2_bytes) : flushed_(std::max<std::size_t>(2 * l2_bytes, 1 << 20)) {
  cudaEvent_t created = nullptr;
  check(cudaEventCreate(&created));
  start_ = created;
  check(cudaEventCreate(&created));
  stop_ = created;
}

Timer::~Timer() {
  (void)cudaEventDestroy(event(start_));
  (void)cudaEventDestroy(event(stop_));
}

double Timer::timed(const Work& work, const std::function<void()>& in_flight) {
  if (work.prepare) work.prepare();
  flushed_.fill(++turn_);
  check(cudaEventRecord(event(start_)));
  work.launch();
  check(cudaEventRecord(event(stop_)));
  if (in_flight) in_flight();
  check(cudaEventSynchronize(event(stop_)));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, event(start_), event(stop_)));
  return 1e3 * static_cast<double>(milliseconds);
}

double Timer::once(const std::function<void()>& launch, const std::function<void()>& prepare) {
  return timed({launch, prepare}, {});
}

Timing Timer::measure(const std::function<void()>& launch, const std::function<void()>& prepare) {
  constexpr int pilot_runs = 3;
  // Work on the host may take far longer than the device sees of it.
  const TimeBudget budget(5);
  once(launch, prepare);
  std::vector<double> pilot;
  for (int i = 0; i < pilot_runs; ++i) pilot.push_back(once(launch, prepare));
  const int runs = runs_for(summarise(pilot).median_us);
  std::vector<double> times;
  for (int i = 0; i < runs && !(i >= 3 && budget.is_over()); ++i) {
    times.push_back(once(launch, prepare));
  }
  return summarise(times);
}

double Timer::warm_up(const Work& baseline, const Work& rung) {
  // At the cap of its power a GPU needs some 100 ms to lower its clock.
  constexpr double wanted_us = 200e3;
  const TimeBudget budget(1);
  double all_us = 0, pair_us = 0;
  do {
    pair_us = timed(baseline, {}) + timed(rung, {});
    all_us += pair_us;
  } while (all_us < wanted_us && !budget.is_over());
  return pair_us;
}

Turns Timer::in_turns(const Work& baseline, const Work& rung) {
  constexpr int turns_for_a_sample = 4;
  const TimeBudget budget(5);
  const int count = turns_for(2 * warm_up(baseline, rung));
  Turns turns;
  std::vector<double> mhz;
  for (int i = 0; i < count && !(i >= 3 && budget.is_over()); ++i) {
    bool is_due = i % turns_for_a_sample == 0;
    const auto sample = [&] {
      const double now = std::exchange(is_due, false) ? clock_.mhz() : 0;
      if (now > 0) mhz.push_back(now);
    };
    take_turn(
        turns, [&] { return timed(baseline, {}); },
        [&] { return timed(rung, is_due ? std::function<void()>(sample) : nullptr); });
  }
  if (!mhz.empty()) turns.sm_mhz = summarise(mhz).median_us;
  return turns;
}

Work Timer::copy_of(std::size_t bytes) {
  const auto from = std::make_shared<DeviceBytes>(bytes / 2, "copy source");
  const auto to = std::make_shared<DeviceBytes>(bytes / 2, "copy target");
  from->fill(1);
  return {
      [=] { check(cudaMemcpyAsync(to->get(), from->get(), bytes / 2, cudaMemcpyDeviceToDevice)); }};
}

}  // namespace warpwise::lesson
