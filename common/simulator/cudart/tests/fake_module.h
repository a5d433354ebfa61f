#pragma once
#include <cuda_runtime_api.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/runtime.h"
#include "simulator/machine/device_calls/device_runtime.h"

/// For tests of cudart/ without a machine that runs PTX: a module whose kernels are written in C++.
namespace warpwise::cudart {

/// The latest launch that any fake kernel saw, to be read after a synchronisation.
inline machine::Launch& last_fake_launch() {
  static machine::Launch launch;
  return launch;
}

/// Called by await() after each look that found another value; empty: nothing is.
inline std::function<void()> fake_look;

/// fill(int* x, int value, int n), add(int* x, int value, int n): every element at once.
/// await(int* x, int value, int blocks): waits for the value with `blocks` blocks resident.
/// fault(): reads out of bounds. print(): one line. slow(): 30 ms. endless(): does not return.
/// bounded(): launch bounds of 128 threads, 255 registers, 1 KiB of static shared memory.
/// unsupported(): says so when it runs.
class FakeModule : public machine::Module {
 public:
  explicit FakeModule(memory::AddressSpace& memory) : memory_(memory) {
    const std::vector<machine::Parameter> array = {{0, 8}, {8, 4}, {12, 4}};
    add_kernel("fill", array);
    add_kernel("add", array);
    add_kernel("await", array);
    for (const char* name : {"endless", "fault", "print", "slow", "unsupported"})
      add_kernel(name, {});
    machine::KernelInfo& bounded = add_kernel("bounded", {});
    bounded.max_threads_per_block = 128;
    bounded.static_shared_bytes = 1024;
    machine::KernelInfo& hungry = add_kernel("hungry", {});
    hungry.registers = 255;
    add_variable("table", 64, memory::Kind::constant);
    add_variable("counter", 4, memory::Kind::variable);
    add_variable("shared_value", 4, memory::Kind::variable);
    variables_["shared_value"].managed = true;
  }

  const machine::KernelInfo* kernel(const std::string& name) const override {
    const auto entry = kernels_.find(name);
    return entry == kernels_.end() ? nullptr : &entry->second;
  }
  std::vector<std::string> kernel_names() const override {
    std::vector<std::string> names;
    for (const auto& entry : kernels_) names.push_back(entry.first);
    return names;
  }
  const machine::Variable* variable(const std::string& name) const override {
    const auto entry = variables_.find(name);
    return entry == variables_.end() ? nullptr : &entry->second;
  }

  bool talks_to_host(const std::string& name) override { return name == "await" || name == "add"; }

  void initialise_variables() override {
    for (const auto& [name, variable] : variables_)
      std::memset(memory_.host(variable.address), 0, variable.bytes);
  }

  watch::LaunchReport run(const machine::Launch& launch, const machine::Options& how) override {
    last_fake_launch() = launch;
    watch::LaunchReport report;
    report.kernel = report.mangled = launch.kernel;
    report.grid = launch.grid;
    report.block = launch.block;
    if (launch.kernel == "fill" || launch.kernel == "add") change(launch);
    if (launch.kernel == "await") await(launch, how, report);
    if (launch.kernel == "print") how.print("hello from the device\n");
    if (launch.kernel == "slow") std::this_thread::sleep_for(std::chrono::milliseconds(30));
    while (launch.kernel == "endless") std::this_thread::sleep_for(std::chrono::seconds(1));
    if (launch.kernel == "unsupported")
      report.unsupported = "PTX line 1: wobble: the simulator does not know wobble yet";
    if (launch.kernel == "fault") {
      watch::Diagnosis diagnosis;
      diagnosis.kind = "out-of-bounds";
      diagnosis.message = "the kernel read past its array";
      report.diagnoses.push_back(diagnosis);
      report.faulted = true;
    }
    return report;
  }

 private:
  machine::KernelInfo& add_kernel(const std::string& name,
                                  std::vector<machine::Parameter> parameters) {
    machine::KernelInfo info = {};
    info.name = name;
    info.parameters = std::move(parameters);
    info.parameter_bytes = info.parameters.empty() ? 0 : 16;
    info.max_threads_per_block = 1024;
    info.registers = 32;
    info.registers_of = info.ptx_architecture = 90;
    return kernels_[name] = info;
  }
  void add_variable(const std::string& name, std::uint64_t bytes, memory::Kind kind) {
    const auto base = memory_.allocate(bytes, kind)->base;
    variables_[name] = {base, bytes, kind == memory::Kind::constant};
  }
  struct Arguments {
    int *x, value, n;
  };
  Arguments arguments_of(const machine::Launch& launch) const {
    std::uint64_t address = 0;
    Arguments result = {};
    std::memcpy(&address, launch.parameters.data(), 8);
    std::memcpy(&result.value, launch.parameters.data() + 8, 4);
    std::memcpy(&result.n, launch.parameters.data() + 12, 4);
    result.x = reinterpret_cast<int*>(memory_.host(address));
    return result;
  }
  void change(const machine::Launch& launch) {
    const auto [x, value, n] = arguments_of(launch);
    for (int i = 0; i < n; ++i) x[i] = launch.kernel == "fill" ? value : x[i] + value;
  }
  void await(const machine::Launch& launch, const machine::Options& how,
             watch::LaunchReport& report) {
    using Outlook = machine::Neighbours::Outlook;
    const auto [x, value, blocks] = arguments_of(launch);
    Outlook outlook = Outlook::unchanged;
    while (*x != value && outlook != Outlook::deadlock && outlook != Outlook::given_up) {
      if (fake_look) fake_look();
      outlook = how.neighbours->let_others_run(
          {.stands = true, .resident = static_cast<std::uint64_t>(blocks)});
    }
    if (outlook != Outlook::deadlock) return;
    watch::Diagnosis diagnosis;
    diagnosis.kind = "deadlock";
    diagnosis.message = "waits for " + std::to_string(value) + "." + how.neighbours->others();
    report.diagnoses.push_back(diagnosis);
    report.faulted = true;
  }

  memory::AddressSpace& memory_;
  std::map<std::string, machine::KernelInfo> kernels_;
  std::map<std::string, machine::Variable> variables_;
};

/// A program's image of the fake module: a container without entries, in nvcc's wrapper.
struct FakeImage {
  struct Container {
    std::uint32_t magic = 0xBA55ED50;
    std::uint16_t version = 1, header_bytes = 16;
    std::uint64_t bytes = 0;
  } container;
  struct Wrapper {
    std::int32_t magic = 0x466243B1, version = 1;
    const void* container = nullptr;
    const void* prelinked = nullptr;
  } wrapper;

  FakeImage() {
    wrapper.container = &container;
    load_module = [](const std::vector<image::Entry>&, machine::Target,
                     memory::AddressSpace& memory) -> std::unique_ptr<machine::Module> {
      return std::make_unique<FakeModule>(memory);
    };
  }
};

/// The fake module as a loaded library, and its kernels by name.
inline cudaLibrary_t fake_library() {
  static FakeImage image;
  static const cudaLibrary_t library = [] {
    cudaLibrary_t loaded = nullptr;
    cudaLibraryLoadData(&loaded, &image.container, nullptr, nullptr, 0, nullptr, nullptr, 0);
    return loaded;
  }();
  return library;
}

inline cudaKernel_t fake_kernel(const char* name) {
  cudaKernel_t kernel = nullptr;
  cudaLibraryGetKernel(&kernel, fake_library(), name);
  return kernel;
}

/// Launches a kernel without parameters.
inline cudaError_t launch_fake(const char* name, dim3 grid = 1, dim3 block = 32,
                               std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  return cudaLaunchKernel(fake_kernel(name), grid, block, nullptr, shared_bytes, stream);
}

/// Launches fill or add.
inline cudaError_t launch_fake_on(const char* name, int* x, int value, int n,
                                  cudaStream_t stream = nullptr) {
  void* arguments[] = {&x, &value, &n};
  return cudaLaunchKernel(fake_kernel(name), 1, 32, arguments, 0, stream);
}

}  // namespace warpwise::cudart
