#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/machine/launch/launch.h"
#include "simulator/watch/launches/footprint.h"

namespace warpwise::machine {

/// Errors as the CUDA runtime numbers them.
namespace runtime_error {
constexpr int none = 0, invalid_value = 1, no_memory = 2, no_such_kernel = 98, unknown = 999;
}

/// Work that a kernel has asked the device for.
struct DeviceWork {
  enum class Kind { launch, copy, fill };
  Kind kind = Kind::launch;
  bool is_tail = false;  ///< it begins once the grid that asked for it, and all else that this
                         ///< asked for, has ended
  /// Work that one grid asked for with the same number runs in the order in which it asked; nothing
  /// orders the rest but is_tail.
  std::uint64_t queue = 0;
  std::uint64_t parent = 0;  ///< the grid, by the order in which grids ended
  Launch launch;
  /// Layout of a copy or a fill: rows of `width` bytes, with a pitch from start to start.
  std::uint64_t to = 0, from = 0, width = 0, rows = 1, to_pitch = 0, from_pitch = 0;
  int direction = 0;  ///< of a copy: a cudaMemcpyKind
  int value = 0;      ///< of a fill
  std::string by;     ///< the kernel that asked, as people write it
  /// The memory that the grid touched after it had asked, once it has ended; null: it is not known.
  std::shared_ptr<const watch::Footprint> late;
  /// The same of all that does not come before: by other threads and blocks as well.
  std::shared_ptr<const watch::Footprint> concurrent;
  std::uint64_t block = 0;  ///< of the thread that asked
  watch::Diagnosis asked;   ///< where: its file, line and column
};

/// The runtime's answers to a kernel. Called by the threads that run the launch.
class DeviceRuntime {
 public:
  struct Refusal {
    int error;
    std::string why;  ///< one sentence for people
  };

  virtual ~DeviceRuntime() = default;
  /// Why a launch cannot be made; nothing where it can.
  virtual std::optional<Refusal> refusal(const Launch& launch) = 0;
  /// The same where a grid has already asked for this many launches, copies and fills.
  virtual std::optional<Refusal> refuses_more(std::size_t asked) = 0;
  /// The same of a copy or a fill.
  virtual std::optional<Refusal> refusal(const DeviceWork& work) = 0;
  /// @return an error's number; `value` is set where that is 0.
  virtual int attribute(int attribute, int device, std::uint64_t& value) = 0;
  virtual int limit(int which, std::uint64_t& value) = 0;
  /// Blocks of the kernel that one SM holds.
  virtual int occupancy(const std::string& kernel, int threads, std::uint64_t shared_bytes,
                        std::uint64_t& blocks) = 0;
  /// The words of a cudaFuncAttributes. @return as above.
  virtual int attributes(const std::string& kernel, std::vector<std::uint64_t>& words) = 0;
  /// The device's address of an error's name, or of what it means.
  virtual std::uint64_t error_words(int error, bool is_name) = 0;
  /// The grid has ended; what it asked for, in order.
  virtual void ask_for(std::vector<DeviceWork> work) = 0;
};

}  // namespace warpwise::machine
