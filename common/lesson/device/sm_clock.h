#pragma once

/// \file
/// The clock of a GPU's SMs while it works: under a cap of power it falls, and times grow with it.
/// \ingroup lesson
namespace warpwise::lesson {

/// Asks the driver's management library (NVML), found when it is first needed; nothing links it.
class SmClock {
 public:
  /// For the current device of the runtime. Where the library is absent, mhz() knows nothing.
  SmClock();

  /// The SM clock now, in MHz; 0 where it is not known.
  double mhz() const;

 private:
  void* device_ = nullptr;     ///< nvmlDevice_t.
  void* get_clock_ = nullptr;  ///< nvmlDeviceGetClockInfo.
};

}  // namespace warpwise::lesson
