// The module that load() makes: PTX and machine code of an image, translated where they are needed.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "simulator/code/callees.h"
#include "simulator/code/compile.h"
#include "simulator/code/lowering/layout.h"
#include "simulator/image/cubin.h"
#include "simulator/machine/launch/module.h"
#include "simulator/machine/schedule/block.h"
#include "simulator/machine/schedule/helpers.h"
#include "simulator/machine/schedule/run_grid.h"
#include "simulator/ptx/link.h"
#include "simulator/ptx/text.h"

namespace warpwise::machine {
namespace {

/// True where it has accesses or fences that reach the whole system. Accesses that may be to shared
/// memory count: what they reach is not known.
bool reaches_system(const code::Program& program) {
  const auto is_far = [](const code::Access& access) {
    return access.is_strong() && access.scope == code::Scope::system &&
           (access.space == code::Space::global || access.space == code::Space::generic);
  };
  const auto is_far_fence = [](const code::Instruction& instruction) {
    return instruction.op == code::Op::fence &&
           static_cast<code::Scope>(instruction.mode) == code::Scope::system;
  };
  return std::any_of(program.accesses.begin(), program.accesses.end(), is_far) ||
         std::any_of(program.code.begin(), program.code.end(), is_far_fence);
}

class LoadedModule : public Module {
 public:
  LoadedModule(const std::vector<image::Entry>& entries, Target target,
               memory::AddressSpace& memory)
      : memory_(memory), other_(target.of_other_device) {
    const unsigned architecture = target.architecture;
    std::vector<ptx::Module> units;
    bool only_newer = true;
    try {
      for (const image::Entry* text : choose_texts(entries, architecture)) {
        if (!text)
          throw Unsupported(fmt::format(
              "the program holds no PTX that sm_{} could run, only machine code. Build it with "
              "-gencode arch=compute_{},code=[compute_{},sm_{}]",
              architecture, architecture, architecture, architecture));
        // With -rdc=true the toolkit's own device library comes along, in PTX for newer GPUs.
        const bool is_newer = text->architecture > architecture;
        only_newer = only_newer && is_newer;
        if (is_newer)
          note_ = fmt::format(
              "the program holds PTX for compute_{}, which sm_{} could not run; it is run all the "
              "same. For an sm_{} build it with -arch=sm_{}",
              text->architecture, architecture, architecture, architecture);
        units.push_back(ptx::parse(text->ptx_text()));
        for (const ptx::Function& function : units.back().functions)
          if (function.is_kernel) architectures_.emplace(function.name, units.back().architecture);
        for (ptx::Function& function : units.back().functions)
          function.may_contract = text->may_contract();
      }
      if (!only_newer || has_code_for(entries, architecture)) note_.clear();
      module_ = ptx::link(std::move(units));
    } catch (const ptx::ParseError& error) {
      throw Unsupported(error.what());
    }
    const image::Entry* cubin = choose_code(entries, architecture);
    if (cubin) facts_ = image::read_cubin(cubin->payload);
    for (const ptx::Function& function : module_.functions)
      if (function.is_kernel && !function.is_declaration) kernels_[function.name] = info(function);
    if (const image::Entry* code = attribute_code(entries, target)) add_attributes(*code);
    place_variables();
  }

  ~LoadedModule() override {
    for (const auto& [name, variable] : variables_)
      if (!is_of_other_device(variable)) memory_.release(variable.address);
  }

  const KernelInfo* kernel(const std::string& mangled) const override {
    auto found = kernels_.find(mangled);
    return found == kernels_.end() ? nullptr : &found->second;
  }

  std::vector<std::string> kernel_names() const override {
    std::vector<std::string> names;
    for (const auto& [name, kernel] : kernels_) names.push_back(name);
    return names;
  }

  const Variable* variable(const std::string& mangled) const override {
    auto found = variables_.find(mangled);
    return found == variables_.end() ? nullptr : &found->second;
  }

  std::string note() const override { return note_; }

  watch::LaunchReport run(const Launch& launch, const Options& options) override;

 private:
  KernelInfo info(const ptx::Function& function) const {
    KernelInfo kernel{};
    kernel.name = function.name;
    auto offsets = code::parameter_offsets(function);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      auto bytes = static_cast<std::uint32_t>(function.parameters[i].bytes);
      kernel.parameters.push_back({offsets[i], bytes});
      kernel.parameter_bytes = offsets[i] + bytes;
    }
    kernel.max_threads_per_block = function.max_threads ? function.max_threads : 1024;
    auto own = architectures_.find(function.name);
    kernel.ptx_architecture = own == architectures_.end() ? module_.architecture : own->second;
    kernel.required_block = function.block;
    kernel.required_cluster = function.cluster;
    kernel.grid_counts_clusters = function.grid_counts_clusters;
    code::Program sizes;
    const std::vector<code::Callee> callees = code::callees_of(module_, function);
    code::lay_out_shared(module_, function, callees, sizes);
    kernel.static_shared_bytes = sizes.static_shared_bytes;
    for (const ptx::Variable& variable : module_.variables) {
      if (variable.space != ptx::Space::constant) continue;
      const auto alignment = std::max(1u, static_cast<unsigned>(variable.alignment));
      kernel.constant_bytes = (kernel.constant_bytes + alignment - 1) / alignment * alignment +
                              static_cast<unsigned>(variable.bytes);
    }
    return kernel;
  }

  /// Adds what ptxas decided; the newest code that fits is used for an architecture without its
  /// own.
  void add_attributes(const image::Entry& code) {
    for (const auto& [name, facts] : image::read_cubin(code.payload)) {
      auto found = kernels_.find(name);
      if (found == kernels_.end()) continue;
      KernelInfo& kernel = found->second;
      kernel.registers = facts.registers;
      kernel.registers_of = code.architecture;
      kernel.local_bytes = facts.stack_bytes.value_or(0);
      kernel.static_shared_bytes = std::max(kernel.static_shared_bytes, facts.static_shared_bytes);
    }
  }

  void place_variables() {
    for (const ptx::Variable& variable : module_.variables) {
      if (variable.space == ptx::Space::shared || variable.linkage == ptx::Linkage::external ||
          variable.bytes == 0)
        continue;
      if (variable.is_managed && other_ != nullptr) {
        variables_[variable.name] = *other_->variable(variable.name);
        continue;
      }
      bool constant = variable.space == ptx::Space::constant;
      const memory::Allocation* allocation = memory_.allocate(
          variable.bytes, constant ? memory::Kind::constant : memory::Kind::variable);
      if (!allocation) throw std::bad_alloc();  // as a GPU: cudaErrorMemoryAllocation
      memory_.name(allocation->base, ptx::demangled(variable.name));
      variables_[variable.name] = {allocation->base, variable.bytes, constant, variable.is_managed};
      if (memory_.devices() > 1 && !variable.is_managed && variable.initial.empty() &&
          variable.references.empty())
        memory_.track_declared(allocation->base);
    }
    give_initial_values();
  }

  std::string mistake_in(const std::string& mangled) override {
    try {
      program(mangled);
      return {};
    } catch (const Unsupported& wrong) {
      const bool may_be_right = wrong.message.find("simulator does not know") != std::string::npos;
      return may_be_right ? "" : wrong.message;
    }
  }

  bool talks_to_host(const std::string& mangled) override {
    try {
      return reaches_system(*program(mangled));
    } catch (const Unsupported&) {
      return false;  // Its launch will tell.
    }
  }

  bool has(const std::string& mangled, code::GridControl control) override {
    const auto is_it = [control](const code::Instruction& instruction) {
      return instruction.op == code::Op::nothing &&
             static_cast<code::GridControl>(instruction.mode) == control;
    };
    try {
      const auto& code = program(mangled)->code;
      return std::any_of(code.begin(), code.end(), is_it);
    } catch (const Unsupported&) {
      return false;  // Its launch will tell.
    }
  }

  void initialise_variables() override {
    for (const auto& [name, placed] : variables_)
      if (!is_of_other_device(placed)) std::memset(memory_.host(placed.address), 0, placed.bytes);
    give_initial_values();
  }

  /// To variables that are zero. Those without a value are not touched: one may be as large as the
  /// GPU's memory.
  void give_initial_values() {
    for (const ptx::Variable& variable : module_.variables) {
      auto placed = variables_.find(variable.name);
      if (placed == variables_.end() || is_of_other_device(placed->second)) continue;
      std::byte* at = memory_.host(placed->second.address);
      std::copy(variable.initial.begin(), variable.initial.end(), at);
      for (const ptx::Variable::Reference& reference : variable.references) {
        const std::uint64_t value = reference.value(address_of(reference.symbol));
        std::memcpy(at + reference.offset, &value, reference.bytes);
      }
    }
  }

  std::uint64_t address_of(const std::string& name) const {
    auto found = variables_.find(name);
    if (found != variables_.end()) return found->second.address;
    if (auto function = code::function_address(module_, name)) return *function;
    throw Unsupported("the address of " + name + " is not available in the simulator yet");
  }

  std::shared_ptr<const code::Program> program(const std::string& name) {
    std::lock_guard lock(mutex_);
    auto& program = programs_[name];
    if (!program) {
      const ptx::Function& function = *module_.find(name);
      auto facts = facts_.find(name);
      try {
        program = code::compile(
            module_, function, [this](const std::string& symbol) { return address_of(symbol); },
            facts == facts_.end() ? nullptr : &facts->second);
      } catch (const ptx::ParseError& error) {
        throw Unsupported(error.what());
      }
    }
    return program;
  }

  /// True for a variable that all devices share and another has placed.
  bool is_of_other_device(const Variable& variable) const {
    return variable.managed && other_ != nullptr;
  }

  memory::AddressSpace& memory_;
  const Module* other_;  ///< read only while this one is made: whether there was one, later
  ptx::Module module_;
  std::string note_;
  std::map<std::string, unsigned> architectures_;  ///< of the PTX of each unit's kernels
  std::map<std::string, image::KernelFacts> facts_;
  std::map<std::string, KernelInfo> kernels_;
  std::map<std::string, Variable> variables_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const code::Program>> programs_;
};

watch::LaunchReport LoadedModule::run(const Launch& launch, const Options& options) {
  watch::LaunchReport report;
  const KernelInfo* kernel = this->kernel(launch.kernel);
  report.mangled = launch.kernel;
  report.kernel = ptx::demangled(launch.kernel);
  report.grid = launch.grid;
  report.block = launch.block;
  report.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  if (!kernel) {
    report.unsupported = "this module has no kernel " + report.kernel;
    return report;
  }
  report.registers = kernel->registers;
  report.static_shared_bytes = kernel->static_shared_bytes;
  std::shared_ptr<const code::Program> program;
  try {
    program = this->program(launch.kernel);
  } catch (const Unsupported& error) {
    report.unsupported = error.what();
    return report;
  }
  std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  unsigned threads_per_block = launch.block[0] * launch.block[1] * launch.block[2];
  std::uint32_t shared = program->dynamic_shared_offset + launch.dynamic_shared_bytes;
  Grid grid{*program, launch, options, memory_, blocks, threads_per_block, shared};
  unsigned threads = host_threads(options.threads);
  grid.cluster_blocks = std::uint64_t{launch.cluster[0]} * launch.cluster[1] * launch.cluster[2];
  grid.has_one_history =
      program->blocks_communicate || launch.cooperative || grid.cluster_blocks > 1;
  grid.begins_early = options.neighbours && options.neighbours->begins_early();
  grid.wants_host_footprint =
      grid.has_one_history && options.neighbours && options.neighbours->wants_host_footprint();
  if (grid.has_one_history || grid.begins_early) threads = 1;
  if (program->blocks_communicate || launch.cooperative) {
    grid.resident_clusters = std::max<std::uint64_t>(
        1, (launch.cooperative ? blocks : options.resident_blocks) / grid.cluster_blocks);
  }
  grid.runners = static_cast<unsigned>(std::clamp<std::uint64_t>(blocks, 1, threads));
  grid.wants_footprint = options.neighbours && options.neighbours->wants_footprint();
  if (options.check_races && !grid.has_one_history && (blocks > 1 || grid.wants_footprint))
    grid.inter_block_races = std::make_unique<watch::InterBlockRaces>(
        cell_shift(*program, code::Space::global), grid.runners > 1);
  static std::atomic<std::uint64_t> time{1};
  grid.start_time = time;
  grid.module = this;
  grid.device = memory::current_device();
  if (options.trace) options.trace->begin(*program, memory_);
  run_grid(grid, report);
  time += grid.executed + grid.slept;
  return report;
}

}  // namespace

std::unique_ptr<Module> load(const std::vector<image::Entry>& entries, Target target,
                             memory::AddressSpace& memory) {
  return std::make_unique<LoadedModule>(entries, target, memory);
}

std::string readable_name(const std::string& mangled) { return ptx::demangled(mangled); }

}  // namespace warpwise::machine
