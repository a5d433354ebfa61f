#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/function.h"

/// \file
/// What the ladders of this chapter share: the devices with streams and events, and memory of each.

/// As long as it lives, another device is current for this thread.
class OnDevice {
 public:
  explicit OnDevice(int device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

/// An array that lives on one device, or in page-locked memory of the host.
template <class T>
using Shared = std::shared_ptr<T>;

/// `bytes` of memory of a device; freed with the last pointer.
Shared<void> device_memory(int device, std::size_t bytes);
/// `bytes` of page-locked host memory that every device can copy from and to.
Shared<void> pinned_memory(std::size_t bytes);

/// The first n devices: two streams and an event of each, and access between every pair that can
/// have it.
class Devices {
 public:
  static constexpr int most = 8;
  static constexpr int streams_of_each = 2;

  /// @param count 1 to 8, of the devices that there are.
  explicit Devices(int count);
  ~Devices();
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;

  int count() const { return static_cast<int>(all_.size()); }
  cudaStream_t stream(int device, int which = 0) const { return all_[device].streams[which]; }
  /// Empty where every device may use the memory of every other; else which one may not:
  /// "device 1 cannot reach device 0".
  const std::string& unreachable() const { return unreachable_; }

  /// Calls with each device in turn, which is the current one.
  void each(const std::function<void(int)>& call) const;
  /// What the stream of a device has now is marked; the device's event is used again each time.
  void record(int device, int which = 0) const;
  /// A stream of `device` waits for the last mark of a stream of `marked`.
  void wait(int device, int which, int marked, int marked_which) const;
  /// Every stream of every device begins after the default stream of device 0.
  void begin() const;
  /// The default stream of device 0 goes on after every stream of every device.
  void end() const;
  /// What a table times: `start` between begin() and end(). @pre the devices live as long.
  std::function<void()> timed(const std::function<void()>& start) const;
  /// What every device must have, where each has to have `once`: as often as there are devices.
  std::vector<double> for_each_of(const std::vector<double>& once) const;
  /// The host waits for every device.
  void synchronise() const;

 private:
  struct One {
    cudaStream_t streams[streams_of_each] = {};
    cudaEvent_t marks[streams_of_each] = {};
  };
  void enable_access();

  std::vector<One> all_;
  cudaEvent_t began_ = nullptr;
  std::string unreachable_;
};
