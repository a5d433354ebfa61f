#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "simulator/code/program.h"
#include "simulator/image/cubin.h"
#include "simulator/image/fatbin.h"
#include "simulator/memory/address_space.h"
#include "simulator/watch/footprint.h"
#include "simulator/watch/report.h"
#include "simulator/watch/trace.h"

/// Warps, blocks, grids: programs are loaded and launched here.
namespace warpwise::machine {

/// Thrown for what cannot be run, with the whole sentence for people: what, PTX line, .cu line.
struct Unsupported : std::exception {
  explicit Unsupported(std::string text) : message(std::move(text)) {}
  const char* what() const noexcept override { return message.c_str(); }
  std::string message;
};

struct Parameter {
  std::uint32_t offset, bytes;
};

struct KernelInfo {
  std::string name;  ///< mangled.
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes;
  unsigned max_threads_per_block;  ///< 1024 or what __launch_bounds__ says.
  unsigned static_shared_bytes;
  unsigned local_bytes;   ///< of the stack, with all calls; 0 where ptxas could not know
  unsigned registers;     ///< of the cubin; 0 without one.
  unsigned registers_of;  ///< the architecture that number belongs to (90).
  unsigned ptx_architecture;
  unsigned constant_bytes = 0;        ///< of the image's __constant__ variables.
  watch::Index3 required_block{};     ///< of .reqntid (__block_size__); 0: none.
  watch::Index3 required_cluster{};   ///< of .reqnctapercluster (__cluster_dims__); 0: none.
  bool grid_counts_clusters = false;  ///< of .blocksareclusters (__block_size__ with two sizes).
  bool launches_graphs = false;       ///< by cudaGraphLaunch.
};

struct Variable {
  std::uint64_t address, bytes;
  bool constant;
  bool managed = false;
};

struct Launch {
  std::string kernel;  ///< mangled.
  watch::Index3 grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;  ///< laid out as KernelInfo says.
  watch::Index3 cluster{1, 1, 1};     ///< blocks of a cluster; each divides the grid's number.
  bool cooperative = false;           ///< all blocks of the grid are resident at once.
  /// What %envreg1 (upper half) and %envreg2 (lower) hold: 0, or for a cooperative launch the
  /// device address of its barrier, zero when the launch begins. grid.sync() counts in the second
  /// word.
  std::uint64_t grid_workspace = 0;
  /// What %current_graph_exec holds: the handle of the graph that the launch is of, where kernels
  /// can launch that; else 0.
  std::uint64_t graph = 0;
};

/// The other work of the device, as a launch sees it that waits.
class Neighbours {
 public:
  /// What a launch knows of itself while all its blocks only wait.
  struct Waiting {
    bool has_changed = false;    ///< memory that others can see, since it last asked
    bool stands = false;         ///< it goes on only if others do something
    bool host_may_help = false;  ///< it looks at memory that the host can write
    std::uint64_t resident = 0;  ///< its blocks that have begun and not ended
  };
  enum class Outlook { unchanged, changed, deadlock, given_up };

  virtual ~Neighbours() = default;
  /// Blocks of this launch for which the device has room beside launches that wait.
  virtual std::uint64_t room() const = 0;
  /// Lets others run. Where the launch stands, until one of them has done something.
  /// @return given_up where the device has failed elsewhere: the launch is to end without a word.
  virtual Outlook let_others_run(const Waiting& waiting) = 0;
  /// True where other work is under way that nothing orders with this launch.
  virtual bool wants_footprint() const = 0;
  /// A conflict with such work.
  struct Conflict {
    std::uint32_t site, block, thread;
    std::uint64_t count;
    std::string does;  ///< "writes"
    std::uint64_t address;
    std::string other;  ///< what did what, and what is to be done: the rest of the sentence
  };
  /// What the launch touched, once it has ended.
  virtual std::vector<Conflict> compare(std::shared_ptr<const watch::Footprint> footprint) = 0;
  /// True where this launch may have begun before the one in front of it has ended, and may wait
  /// for that.
  virtual bool begins_early() const { return false; }
  /// What the launch touched before it waited.
  /// @param lets_begin it let the launch behind it begin before it waited.
  virtual std::vector<Conflict> compare_early(
      [[maybe_unused]] const std::shared_ptr<const watch::Footprint>& footprint,
      [[maybe_unused]] bool lets_begin) {
    return {};
  }
  /// True where the host may ask what the launch touched of memory that the host can reach, though
  /// its blocks have one history and are not compared.
  virtual bool wants_host_footprint() const { return false; }
  virtual void keep_host_footprint(std::shared_ptr<const watch::Footprint> /*footprint*/) {}
  /// After a deadlock: what else stands and what has not begun, as sentences that go on after
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
  bool counts_participants = false;          ///< of named arrays: watch/participation.h
  bool runs_every_round = false;             ///< of loops that wait, also those that change nothing
  unsigned shared_bytes_per_block = 232448;  ///< the GPU's opt-in maximum.
  unsigned multiprocessors = 132;
  std::uint64_t resident_blocks = 132;          ///< that the GPU holds at a time, of this launch.
  std::uint64_t heap_bytes = 8 << 20;           ///< for malloc in kernels: cudaLimitMallocHeapSize
  std::uint64_t stack_bytes = 512 << 10;        ///< of a thread: cudaLimitStackSize
  std::function<void(std::string_view)> print;  ///< output of device printf.
  /// Of that output; what comes behind it is lost: cudaLimitPrintfFifoSize.
  std::size_t output_bytes = 1 << 20;
  /// For messages: " (file:line)", where the host freed what began at the address; empty where that
  /// is not known.
  std::function<std::string(std::uint64_t base)> free_place;
  std::atomic<std::uint64_t>* finished_blocks = nullptr;  ///< counted up while the launch runs.
  /// Set while the launch runs: its time is over, and it ends with a timeout where it stands.
  const std::atomic<bool>* time_is_over = nullptr;
  Neighbours* neighbours = nullptr;         ///< null: the device has no other work
  DeviceRuntime* device_runtime = nullptr;  ///< null: kernels cannot launch others
  watch::Trace* trace = nullptr;            ///< follows one warp of the launch; null: nobody does.
};

/// The name of a kernel or a variable as people write it.
std::string readable_name(const std::string& mangled);

/// A loaded image: code that runs and variables that live in an address space.
class Module {
 public:
  virtual ~Module() = default;
  virtual const KernelInfo* kernel(const std::string& mangled) const = 0;
  virtual std::vector<std::string> kernel_names() const = 0;
  virtual const Variable* variable(const std::string& mangled) const = 0;
  /// True where the kernel can tell the host something while it runs, or hear from it: it has
  /// accesses or fences that reach the whole system.
  virtual bool talks_to_host(const std::string& mangled) = 0;
  /// What no compiler would take in the kernel's text; empty where there is nothing, or only what
  /// the simulator lacks, which comes out when the kernel runs.
  virtual std::string mistake_in(const std::string& /*mangled*/) { return {}; }
  /// True where the kernel has an instruction that does so.
  virtual bool has(const std::string& /*mangled*/, code::GridControl /*control*/) { return false; }
  /// True where the kernel asks the device's runtime for anything but the launch of a graph.
  virtual bool uses_device_runtime(const std::string& /*mangled*/) { return false; }
  /// All variables but those of another device hold again what they were declared with. Not while a
  /// launch runs.
  virtual void initialise_variables() = 0;
  /// One sentence for people about how the image was read; "" where there is nothing to say.
  virtual std::string note() const { return {}; }
  /// Runs the launch to its end on the calling thread (and helpers of its own).
  /// Never throws for the learner's mistakes: they are in the report.
  virtual watch::LaunchReport run(const Launch& launch, const Options& options) = 0;
};

/// Which code is run, which is asked about, and beside what it is loaded.
struct Target {
  // Most callers mean one and the same architecture.
  Target(unsigned run, unsigned ask = 0) : architecture(run), attributes_of(ask ? ask : run) {}
  unsigned architecture;   ///< of the GPU that is simulated, 90 for an H200
  unsigned attributes_of;  ///< whose registers and stack KernelInfo tells, where the image has them
  /// The same image as another device has loaded it: managed variables are those of that module.
  const Module* of_other_device = nullptr;
};

/// Chooses PTX and cubin for the architecture, translates, places the variables.
/// @throws Unsupported, image::ImageError.
std::unique_ptr<Module> load(const std::vector<image::Entry>& entries, Target target,
                             memory::AddressSpace& memory);

}  // namespace warpwise::machine
