#pragma once

namespace warpwise::memory {

/// Devices that one process can have.
constexpr int most_devices = 8;

namespace detail {
inline thread_local int current_device = 0;
}

/// The device that this thread works for. For the program's threads it is CUDA's current device, 0
/// until the thread chooses another; for a thread that runs work, the device of that work. Memory
/// that is allocated belongs to it.
inline int current_device() { return detail::current_device; }
inline void set_current_device(int device) { detail::current_device = device; }

/// As long as it lives, this thread works for another device.
class OnDevice {
 public:
  explicit OnDevice(int device) : before_(current_device()) { set_current_device(device); }
  ~OnDevice() { set_current_device(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_;
};

}  // namespace warpwise::memory
