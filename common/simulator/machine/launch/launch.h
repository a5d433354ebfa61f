#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/watch/launches/footprint.h"
#include "simulator/watch/report/report.h"
#include "simulator/watch/report/trace.h"

/// \file
/// A launch, and what it may use and ask: the limits of the device and its other work.
namespace warpwise::machine {

struct Launch {
  std::string kernel;  ///< mangled.
  watch::Index3 grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;  ///< laid out as KernelInfo says.
  watch::Index3 cluster{1, 1, 1};     ///< blocks of a cluster; each divides the grid's number.
  bool cooperative = false;           ///< all blocks of the grid are resident at once.
  /// The value of %envreg1 (upper half) and %envreg2 (lower): 0, or for a cooperative launch the
  /// device address of its barrier, zero when the launch begins. grid.sync() counts in the second
  /// word.
  std::uint64_t grid_workspace = 0;
};

/// The other work of the device, as a launch sees it that waits.
class Neighbours {
 public:
  /// The state of a launch while all its blocks only wait.
  struct Waiting {
    bool has_changed = false;    ///< memory that others can see, since it last asked
    bool stands = false;         ///< it goes on only if others do something
    bool host_may_help = false;  ///< it looks at memory that the host can write
    std::uint64_t resident = 0;  ///< its blocks that have begun and not ended
  };
  enum class Outlook { unchanged, changed, deadlock, given_up };

  virtual ~Neighbours() = default;
  /// Blocks of this launch for which the device has room next to launches that wait.
  virtual std::uint64_t room() const = 0;
  /// Lets others run. The launch stays where it is until one of them has done something.
  /// @return given_up where the device has failed elsewhere: the launch is to end without a word.
  virtual Outlook let_others_run(const Waiting& waiting) = 0;
  /// True where other work is running that nothing orders with this launch.
  virtual bool wants_footprint() const = 0;
  /// A conflict with such work.
  struct Conflict {
    std::uint32_t site, block, thread;
    std::uint64_t count;
    std::string does;  ///< "writes"
    std::uint64_t address;
    std::string other;  ///< what did what, and what is to be done: the rest of the sentence
  };
  /// Compares what the launch touched, once it has ended.
  virtual std::vector<Conflict> compare(std::shared_ptr<const watch::Footprint> footprint) = 0;
  /// True where this launch may have begun before the previous one has ended, and may wait for
  /// that.
  virtual bool begins_early() const { return false; }
  /// Compares what the launch touched before it waited.
  /// @param lets_begin it let the next launch begin before it waited.
  virtual std::vector<Conflict> compare_early(
      [[maybe_unused]] const std::shared_ptr<const watch::Footprint>& footprint,
      [[maybe_unused]] bool lets_begin) {
    return {};
  }
  /// True where the host may ask what the launch touched of memory that the host can reach, though
  /// its blocks have one history and are not compared.
  virtual bool wants_host_footprint() const { return false; }
  virtual void keep_host_footprint(std::shared_ptr<const watch::Footprint> /*footprint*/) {}
  /// After a deadlock: what else waits and what has not begun, as sentences that go on after
  /// others; empty where there is nothing.
  virtual std::string others() const = 0;
};

class DeviceRuntime;

struct Options {
  unsigned threads = 0;  ///< host threads; 0: one for each processor
  /// Thread instructions that one host thread does before it wakes others: that, and to wait for
  /// them, takes as long.
  std::uint64_t worth_a_thread = 1 << 16;
  std::uint64_t budget = 0;  ///< thread instructions; 0: none.
  bool check_races = true;
  /// Values that were computed from bytes which nothing has written are marked where they are
  /// stored: LaunchReport::derived.
  bool marks_derived = false;
  bool counts_participants = false;          ///< of named arrays: watch/order/participation.h
  bool runs_every_round = false;             ///< of loops that wait, also those that change nothing
  unsigned shared_bytes_per_block = 232448;  ///< the GPU's opt-in maximum.
  unsigned multiprocessors = 132;
  std::uint64_t resident_blocks = 132;          ///< that the GPU holds at a time, of this launch.
  std::uint64_t heap_bytes = 8 << 20;           ///< for malloc in kernels: cudaLimitMallocHeapSize
  std::uint64_t stack_bytes = 512 << 10;        ///< of a thread: cudaLimitStackSize
  std::function<void(std::string_view)> print;  ///< output of device printf.
  /// Limit of that output; what comes after it is lost: cudaLimitPrintfFifoSize.
  std::size_t output_bytes = 1 << 20;
  /// For messages: " (file:line)", where the host freed what began at the address; empty where that
  /// is not known.
  std::function<std::string(std::uint64_t base)> free_place;
  std::atomic<std::uint64_t>* finished_blocks = nullptr;  ///< counted up while the launch runs.
  /// Set while the launch runs: its time is over, and it ends with a timeout where it is.
  const std::atomic<bool>* time_is_over = nullptr;
  Neighbours* neighbours = nullptr;         ///< null: the device has no other work
  DeviceRuntime* device_runtime = nullptr;  ///< null: kernels cannot launch others
  watch::Trace* trace = nullptr;  ///< follows one warp of the launch; null: none is followed.
};

}  // namespace warpwise::machine
