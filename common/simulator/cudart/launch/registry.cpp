#include "simulator/cudart/launch/registry.h"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/cudart/device/devices.h"
#include "simulator/cudart/device/settings.h"
#include "simulator/cudart/launch/library_text.h"
#include "simulator/cudart/report/console.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

/// The program's own PTX for newer GPUs runs all the same (machine/launch/image_choice.cpp).
/// @throws Failure where a GPU would refuse the code and the simulator cannot use it either.
void check_runs(const std::vector<image::Entry>& entries, unsigned device, bool is_own) {
  const auto can_run = [&](const image::Entry& entry) {
    return entry.runs_on(device) || (is_own && entry.kind == image::Entry::Kind::ptx);
  };
  if (entries.empty() || std::any_of(entries.begin(), entries.end(), can_run)) return;
  const image::Entry& other = entries.front();
  throw Failure{
      cudaErrorNoKernelImageForDevice,
      fmt::format("the code is for other GPUs (compute capability {}.{}), not for this "
                  "one; build it with -gencode arch=compute_{},code=[compute_{},sm_{}]",
                  other.architecture / 10, other.architecture % 10, device, device, device)};
}

}  // namespace

machine::Module& Image::module() {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<machine::Module>& here = modules_.here();
  if (here) return *here;
  if (!unsupported_.empty()) throw machine::Unsupported(unsupported_);
  if (damaged_) throw *damaged_;
  Runtime& device = runtime();
  const auto architecture = static_cast<unsigned>(device.gpu.compute_capability);
  const auto entries =
      container_ != nullptr ? image::read_linked_at(container_, prelinked_) : entries_;
  if (is_text())
    check_head(entries.front().ptx_text(), architecture);
  else
    check_runs(entries, architecture, container_ != nullptr);
  const auto other = std::find_if(modules_.begin(), modules_.end(),
                                  [](const auto& module) { return module != nullptr; });
  const machine::Module* loaded = other == modules_.end() ? nullptr : other->get();
  machine::Target target{architecture, settings().attributes_of};
  target.of_other_device = loaded;
  here = load_module(entries, target, device.memory);
  if (const std::string note = here->note(); loaded == nullptr && !note.empty())
    explain("simulator: note: " + note);
  if (device_count() == 1) entries_.clear();
  for (const auto& [name, device_set] : set_on_)
    if (const machine::Variable* variable = here->variable(name))
      device.memory.set_elsewhere(variable->address, device_set);
  return *here;
}

Image* Registry::add_image(std::unique_ptr<Image> image) {
  const std::lock_guard lock(mutex_);
  Image* handle = image.get();
  images_[handle] = std::move(image);
  return handle;
}

Kernel* Registry::add_kernel(Image* image, const std::string& name) {
  const std::lock_guard lock(mutex_);
  for (Kernel* known : image->kernels) {
    if (known->name == name) return known;
  }
  auto kernel = std::make_unique<Kernel>(Kernel{image, name});
  Kernel* handle = kernel.get();
  image->kernels.push_back(handle);
  kernels_[handle] = std::move(kernel);
  return handle;
}

void Registry::add_function(const void* host_function, Kernel* kernel) {
  const std::lock_guard lock(mutex_);
  functions_[host_function] = kernel;
}

void Registry::add_variable(const void* host_variable, RegisteredVariable variable) {
  const std::lock_guard lock(mutex_);
  variables_[host_variable] = std::move(variable);
}

void Registry::forget(Image* image) {
  const std::lock_guard lock(mutex_);
  std::erase_if(functions_, [&](const auto& entry) { return entry.second->image == image; });
  std::erase_if(variables_, [&](const auto& entry) { return entry.second.image == image; });
  for (Kernel* kernel : image->kernels) kernels_.erase(kernel);
  images_.erase(image);
}

bool Registry::is_image(const void* handle) const {
  const std::lock_guard lock(mutex_);
  return images_.contains(handle);
}

Kernel* Registry::kernel(const void* function_or_handle) const {
  const std::lock_guard lock(mutex_);
  const auto handle = kernels_.find(function_or_handle);
  if (handle != kernels_.end()) return handle->second.get();
  const auto function = functions_.find(function_or_handle);
  return function == functions_.end() ? nullptr : function->second;
}

const void* Registry::host_function(const Kernel& kernel) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [function, its_kernel] : functions_)
    if (its_kernel == &kernel) return function;
  return nullptr;
}

const RegisteredVariable* Registry::variable(const void* host_variable) const {
  const std::lock_guard lock(mutex_);
  const auto entry = variables_.find(host_variable);
  if (entry != variables_.end()) return &entry->second;
  // Host code that names a managed variable means the memory itself.
  const auto managed = std::find_if(variables_.begin(), variables_.end(), [&](const auto& one) {
    return one.second.managed_pointer != nullptr && *one.second.managed_pointer == host_variable;
  });
  return host_variable == nullptr || managed == variables_.end() ? nullptr : &managed->second;
}

std::vector<RegisteredVariable> Registry::managed_of(const Image* image) const {
  const std::lock_guard lock(mutex_);
  std::vector<RegisteredVariable> result;
  for (const auto& [address, variable] : variables_) {
    if (variable.image == image && variable.managed_pointer != nullptr) result.push_back(variable);
  }
  return result;
}

void Image::note_set(const std::string& variable) {
  if (device_count() == 1) return;
  const std::lock_guard lock(mutex_);
  const int device = memory::current_device();
  if (!set_on_.emplace(variable, device).second) return;
  for (int other = 0; other < device_count(); ++other) {
    if (other == device || modules_.of(other) == nullptr) continue;
    const machine::Variable* found = modules_.of(other)->variable(variable);
    if (found != nullptr && !found->managed) runtime().memory.set_elsewhere(found->address, device);
  }
}

void note_set(const void* host_variable) {
  const RegisteredVariable* registered = registry().variable(host_variable);
  if (registered != nullptr) registered->image->note_set(registered->name);
}

void Image::initialise_variables() {
  const std::lock_guard lock(mutex_);
  if (modules_.here() != nullptr) modules_.here()->initialise_variables();
}

void Registry::initialise_variables() {
  const std::lock_guard lock(mutex_);
  for (const auto& [handle, image] : images_) image->initialise_variables();
}

Registry& registry() {
  static auto& all = *new Registry;
  return all;
}

FoundKernel find_kernel(const void* function_or_handle) {
  Kernel* kernel = registry().kernel(function_or_handle);
  if (kernel == nullptr) {
    throw Failure{function_or_handle == nullptr ? cudaErrorInvalidDeviceFunction
                                                : cudaErrorInvalidResourceHandle,
                  "the address is neither a __global__ function of this program nor a kernel "
                  "handle"};
  }
  place_managed(*kernel->image);
  const machine::KernelInfo* info = kernel->info();
  if (info == nullptr) {
    throw Failure{cudaErrorInvalidDeviceFunction,
                  fmt::format("the program's device code has no kernel {}", kernel->name)};
  }
  return {*kernel, *info};
}

const machine::Variable& find_variable(const void* host_variable) {
  const RegisteredVariable* registered = registry().variable(host_variable);
  if (registered == nullptr) {
    throw Failure{
        cudaErrorInvalidSymbol,
        "the address is not a __device__ or __constant__ variable of this program; pass the "
        "variable itself, not a pointer to it or its name"};
  }
  need_device();
  place_managed(*registered->image);
  const machine::Variable* variable = registered->image->module().variable(registered->name);
  if (variable == nullptr) {
    throw Failure{cudaErrorInvalidSymbol,
                  fmt::format("the program's device code has no variable {}", registered->name)};
  }
  return *variable;
}

void place_managed(Image& image) {
  if (image.managed_placed) return;
  for (const RegisteredVariable& registered : registry().managed_of(&image)) {
    if (*registered.managed_pointer != nullptr) continue;
    const machine::Variable* variable = image.module().variable(registered.name);
    if (variable == nullptr) continue;
    runtime().memory.make_managed(variable->address);
    *registered.managed_pointer = reinterpret_cast<void*>(variable->address);
  }
  image.managed_placed = true;
}

}  // namespace warpwise::cudart
