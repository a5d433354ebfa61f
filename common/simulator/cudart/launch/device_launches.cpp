#include "simulator/cudart/launch/device_launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "simulator/cudart/copies/copy.h"
#include "simulator/cudart/device/properties.h"
#include "simulator/cudart/launch/function.h"
#include "simulator/cudart/launch/launch_checks.h"
#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/launch/submit.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/report/report.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

using machine::DeviceWork;

template <typename Pointer>
Pointer pointer_to(std::uint64_t address) {
  return reinterpret_cast<Pointer>(address);
}

Copy copy_asked(const DeviceWork& work) {
  Copy copy;
  copy.to = pointer_to<void*>(work.to);
  copy.from = pointer_to<const void*>(work.from);
  copy.width = work.width;
  copy.rows = work.rows;
  copy.to_pitch = work.to_pitch;
  copy.from_pitch = work.from_pitch;
  copy.kind = static_cast<cudaMemcpyKind>(work.direction);
  copy.is_of_kernel = true;
  return copy;
}

Fill fill_asked(const DeviceWork& work) {
  Fill fill;
  fill.to = pointer_to<void*>(work.to);
  fill.value = static_cast<unsigned>(work.value);
  fill.width = work.width;
  fill.rows = work.rows;
  fill.pitch = work.to_pitch;
  return fill;
}

Step prepared(const DeviceWork& work) {
  return work.kind == DeviceWork::Kind::copy ? prepare(copy_asked(work))
                                             : prepare(fill_asked(work));
}

/// The error that a host call would return.
template <typename Body>
std::optional<machine::DeviceRuntime::Refusal> refusal_of(const Body& body) {
  try {
    body();
    return std::nullopt;
  } catch (const Failure& failure) {
    return machine::DeviceRuntime::Refusal{failure.error, failure.why};
  }
}

/// The error's number, as a kernel's call returns it.
template <typename Body>
int error_of(const Body& body) {
  const auto refused = refusal_of(body);
  return refused ? refused->error : cudaSuccess;
}

}  // namespace

std::optional<DeviceWork> DeviceLaunches::next() {
  if (waiting_.empty()) return std::nullopt;
  DeviceWork work = std::move(waiting_.back());
  waiting_.pop_back();
  return work;
}

void DeviceLaunches::ask_for(std::vector<DeviceWork> work) {
  ++grids_;
  for (DeviceWork& one : work) one.parent = grids_;
  std::stable_partition(work.begin(), work.end(), [](const auto& one) { return !one.is_tail; });
  waiting_.insert(waiting_.end(), std::move_iterator(work.rbegin()),
                  std::move_iterator(work.rend()));
}

FoundKernel DeviceLaunches::found(const std::string& kernel) const {
  return find_kernel(registry().add_kernel(&image_, kernel));
}

KernelWork DeviceLaunches::kernel_work(const machine::Launch& launch) const {
  KernelWork work;
  work.function = registry().add_kernel(&image_, launch.kernel);
  work.grid = dim3(launch.grid[0], launch.grid[1], launch.grid[2]);
  work.block = dim3(launch.block[0], launch.block[1], launch.block[2]);
  work.shared_bytes = launch.dynamic_shared_bytes;
  work.arguments = launch.parameters;
  return work;
}

void DeviceLaunches::move(const DeviceWork& work, const CallSite& from) const {
  const CalledFrom launch(from);
  try {
    prepared(work).run();
  } catch (const Failure& failure) {
    runtime().reporter.mistake(failure.kind ? failure.kind : "invalid-copy", watch::Severity::error,
                               failure.why, work.asked);
  }
}

std::optional<machine::DeviceRuntime::Refusal> DeviceLaunches::refusal(
    const machine::Launch& launch) {
  auto refused = refusal_of([&] { check_launch(kernel_work(launch), found(launch.kernel)); });
  // An H200 returns this one code, whichever limit was exceeded.
  if (refused) refused->error = cudaErrorInvalidConfiguration;
  return refused;
}

std::optional<machine::DeviceRuntime::Refusal> DeviceLaunches::refuses_more(std::size_t asked) {
  const std::size_t most = device_limit(cudaLimitDevRuntimePendingLaunchCount);
  if (waiting_.size() + asked < most) return std::nullopt;
  return Refusal{
      cudaErrorLaunchPendingCountExceeded,
      fmt::format("{} launches already wait, the most that may. Launch fewer, let each do "
                  "more, or raise cudaLimitDevRuntimePendingLaunchCount with "
                  "cudaDeviceSetLimit",
                  most)};
}

std::optional<machine::DeviceRuntime::Refusal> DeviceLaunches::refusal(const DeviceWork& work) {
  if (work.kind == DeviceWork::Kind::copy && work.direction != cudaMemcpyDeviceToDevice &&
      work.direction != cudaMemcpyDefault)
    return Refusal{cudaErrorInvalidMemcpyDirection,
                   "a kernel copies from device to device, in no other direction"};
  return refusal_of([&] { prepared(work); });
}

int DeviceLaunches::attribute(int attribute, int device, std::uint64_t& value) {
  const auto known = attribute_of(runtime().gpu, static_cast<cudaDeviceAttr>(attribute));
  if (!known) return cudaErrorInvalidValue;
  // For an unknown device an H200 gives 0, without an error.
  value = device >= 0 && device < device_count() ? static_cast<std::uint64_t>(*known) : 0;
  return cudaSuccess;
}

int DeviceLaunches::limit(int which, std::uint64_t& value) {
  return error_of([&] { value = device_limit(static_cast<cudaLimit>(which)); });
}

int DeviceLaunches::occupancy(const std::string& kernel, int threads, std::uint64_t shared_bytes,
                              std::uint64_t& blocks) {
  return error_of([&] {
    blocks = static_cast<std::uint64_t>(resident_blocks(found(kernel), threads, shared_bytes));
  });
}

int DeviceLaunches::attributes(const std::string& kernel, std::vector<std::uint64_t>& words) {
  return error_of([&] {
    const cudaFuncAttributes attributes = function_attributes(found(kernel));
    words.resize(sizeof attributes / sizeof words[0]);
    std::memcpy(words.data(), &attributes, sizeof attributes);
  });
}

std::uint64_t DeviceLaunches::error_words(int error, bool is_name) {
  struct Known {
    std::mutex mutex;
    std::map<std::string, std::uint64_t> places;
  };
  static auto& known = *new Known;
  const auto code = static_cast<cudaError_t>(error);
  const std::string text = is_name ? error_name(code) : error_text(code);
  const std::lock_guard lock(known.mutex);
  std::uint64_t& place = known.places[text];
  if (place != 0) return place;
  memory::AddressSpace& memory = runtime().memory;
  const memory::Allocation* fresh = memory.allocate(text.size() + 1, memory::Kind::constant);
  if (fresh == nullptr) return 0;
  std::memcpy(memory.host(fresh->base), text.c_str(), text.size() + 1);
  return place = fresh->base;
}

}  // namespace warpwise::cudart
