#include "lesson/timing.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lesson/error.h"

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

int runs_for(double microseconds) {
  constexpr double wanted_us = 200e3;
  const double runs = microseconds > 0 ? wanted_us / microseconds : 201;
  return static_cast<int>(std::clamp(runs, 11.0, 201.0)) | 1;
}

Patience::Patience(double seconds) : end_ns_(now_ns() + static_cast<std::int64_t>(seconds * 1e9)) {}

bool Patience::is_over() const { return now_ns() >= end_ns_; }

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

double Timer::once(const std::function<void()>& launch, const std::function<void()>& prepare) {
  if (prepare) prepare();
  flushed_.fill(++turn_);
  check(cudaEventRecord(event(start_)));
  launch();
  check(cudaEventRecord(event(stop_)));
  check(cudaEventSynchronize(event(stop_)));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, event(start_), event(stop_)));
  return 1e3 * static_cast<double>(milliseconds);
}

Timing Timer::measure(const std::function<void()>& launch, const std::function<void()>& prepare) {
  constexpr int pilot_runs = 3;
  // What runs on the host may take far longer than the device sees of it.
  const Patience patience(5);
  once(launch, prepare);
  std::vector<double> pilot;
  for (int i = 0; i < pilot_runs; ++i) pilot.push_back(once(launch, prepare));
  const int runs = runs_for(summarise(pilot).median_us);
  std::vector<double> times;
  for (int i = 0; i < runs && !(i >= 3 && patience.is_over()); ++i) {
    times.push_back(once(launch, prepare));
  }
  return summarise(times);
}

Timing Timer::measure_copy(std::size_t bytes) {
  const DeviceBytes from(bytes / 2, "copy source");
  const DeviceBytes to(bytes / 2, "copy target");
  from.fill(1);
  return measure(
      [&] { check(cudaMemcpyAsync(to.get(), from.get(), bytes / 2, cudaMemcpyDeviceToDevice)); });
}

}  // namespace warpwise::lesson
