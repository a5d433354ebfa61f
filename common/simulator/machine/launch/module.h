#pragma once
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "simulator/code/program.h"
#include "simulator/image/fatbin.h"
#include "simulator/machine/launch/image_choice.h"
#include "simulator/machine/launch/launch.h"
#include "simulator/memory/address_space.h"
#include "simulator/watch/report/report.h"

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
};

struct Variable {
  std::uint64_t address, bytes;
  bool constant;
  bool managed = false;
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
  /// Names what no compiler would take in the kernel's text; empty where there is nothing, or only
  /// what the simulator lacks, which comes out when the kernel runs.
  virtual std::string mistake_in(const std::string& /*mangled*/) { return {}; }
  /// True where the kernel has an instruction that does so.
  virtual bool has(const std::string& /*mangled*/, code::GridControl /*control*/) { return false; }
  /// All variables but those of another device hold again what they were declared with. Not while a
  /// launch runs.
  virtual void initialise_variables() = 0;
  /// One sentence for people about how the image was read; "" where there is nothing to say.
  virtual std::string note() const { return {}; }
  /// Runs the launch to its end on the calling thread (and helpers of its own).
  /// Never throws for the learner's mistakes: they are in the report.
  virtual watch::LaunchReport run(const Launch& launch, const Options& options) = 0;
};

/// Chooses PTX and cubin for the architecture, translates, places the variables.
/// @throws Unsupported, image::ImageError.
std::unique_ptr<Module> load(const std::vector<image::Entry>& entries, Target target,
                             memory::AddressSpace& memory);

}  // namespace warpwise::machine
