#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/launch/work.h"
#include "simulator/machine/device_calls/device_runtime.h"

namespace warpwise::cudart {

/// The runtime as the kernels of one launch see it, and what they asked for: launches, copies and
/// fills, which run once the grid that asked has ended. A GPU may choose this order among others;
/// here it is the same each time.
class DeviceLaunches : public machine::DeviceRuntime {
 public:
  /// @param image of the kernels.
  explicit DeviceLaunches(Image& image) : image_(image) {}

  /// The next work to run: all work that a grid asked for, and work that this work asked for,
  /// before work that has to wait for its end.
  std::optional<machine::DeviceWork> next();

  /// The launch as the host would ask for it.
  KernelWork kernel_work(const machine::Launch& launch) const;
  /// Runs a copy or a fill. @param from where the host launched the kernel that asked for it.
  void move(const machine::DeviceWork& work, const CallSite& from) const;

  std::optional<Refusal> refusal(const machine::Launch& launch) override;
  std::optional<Refusal> refuses_more(std::size_t asked) override;
  std::optional<Refusal> refusal(const machine::DeviceWork& work) override;
  int attribute(int attribute, int device, std::uint64_t& value) override;
  int limit(int which, std::uint64_t& value) override;
  int occupancy(const std::string& kernel, int threads, std::uint64_t shared_bytes,
                std::uint64_t& blocks) override;
  int attributes(const std::string& kernel, std::vector<std::uint64_t>& words) override;
  std::uint64_t error_words(int error, bool is_name) override;
  void ask_for(std::vector<machine::DeviceWork> work) override;

 private:
  FoundKernel found(const std::string& kernel) const;

  Image& image_;
  std::uint64_t grids_ = 0;                   ///< that have asked for something
  std::vector<machine::DeviceWork> waiting_;  ///< the next one comes last
};

}  // namespace warpwise::cudart
