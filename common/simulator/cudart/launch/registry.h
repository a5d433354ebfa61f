#pragma once
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulator/cudart/device/per_device.h"
#include "simulator/machine/launch/module.h"

/// Images, kernels and variables by the addresses and handles that programs use for them.
namespace warpwise::cudart {

struct Kernel;

/// One registered or loaded image. Its module is made at first use, for each device that uses it: a
/// program that never launches pays nothing, and one that carries code for other GPUs does not fail
/// on it.
class Image {
 public:
  /// @param container fat binary container that stays where it is.
  /// @param prelinked of a program built with -rdc=true: the containers of its translation units,
  ///   ended by null; null for any other.
  explicit Image(const void* container, const void* const* prelinked = nullptr)
      : container_(container), prelinked_(prelinked) {}
  /// @param entries of an image that the program has loaded itself. @param is_text PTX text alone.
  explicit Image(std::vector<image::Entry> entries, bool is_text = false)
      : entries_(std::move(entries)), is_text_(is_text) {}
  /// An image that cannot be used; the sentence gives the reason.
  explicit Image(std::string unsupported) : unsupported_(std::move(unsupported)) {}
  explicit Image(const image::ImageError& damaged) : damaged_(damaged) {}

  /// The code as it is loaded on the current device, with variables of its own. @throws
  /// machine::Unsupported, image::ImageError, and Failure cudaErrorNoKernelImageForDevice where all
  /// of it is for other GPUs.
  machine::Module& module();
  /// True of PTX text that the program has loaded itself.
  bool is_text() const { return is_text_; }
  /// Gives the variables of the current device their declared values again.
  void initialise_variables();

  /// The host has set a variable on the current device: the other devices' variables lack the
  /// value.
  void note_set(const std::string& variable);

  std::vector<Kernel*> kernels;             ///< those that have a handle.
  std::atomic<bool> managed_placed{false};  ///< by place_managed().

 private:
  std::mutex mutex_;
  const void* container_ = nullptr;
  const void* const* prelinked_ = nullptr;
  std::vector<image::Entry> entries_;
  bool is_text_ = false;
  std::string unsupported_;
  std::optional<image::ImageError> damaged_;
  PerDevice<std::unique_ptr<machine::Module>> modules_;
  std::map<std::string, int> set_on_;  ///< by variable: the device on which the host has set it
};

/// A kernel as programs see it: its address is the handle.
struct Kernel {
  Image* image;
  std::string name;             ///< mangled.
  int max_dynamic_shared = -1;  ///< -1: the rest of 48 KiB.
  int preferred_carveout = -1;
  cudaFuncCache cache_config = cudaFuncCachePreferNone;
  bool large_clusters =
      false;  ///< more than 8 blocks: cudaFuncAttributeNonPortableClusterSizeAllowed.
  int cluster_scheduling = 0;  ///< cudaClusterSchedulingPolicy.
  /// Blocks of a cluster as cudaFuncSetAttribute has set them; 0: not set.
  watch::Index3 required_cluster{};

  /// Null when the image has no kernel of that name.
  const machine::KernelInfo* info() { return image->module().kernel(name); }
};

/// A __device__, __constant__ or __managed__ variable that the host can name.
struct RegisteredVariable {
  Image* image;
  std::string name;                  ///< mangled.
  void** managed_pointer = nullptr;  ///< what host code dereferences; null if not managed.
};

/// Everything registered. All functions may be called from several threads; nothing is destroyed
/// except what an unloaded library registered.
class Registry {
 public:
  Image* add_image(std::unique_ptr<Image> image);
  Kernel* add_kernel(Image* image, const std::string& name);
  void add_function(const void* host_function, Kernel* kernel);
  void add_variable(const void* host_variable, RegisteredVariable variable);
  /// Forgets the host addresses of an image whose program text is unloaded.
  void forget(Image* image);

  bool is_image(const void* handle) const;
  /// The kernel of a host function or of a handle; null for any other pointer.
  Kernel* kernel(const void* function_or_handle) const;
  /// The host function of a kernel of the program itself; null for one of a library.
  const void* host_function(const Kernel& kernel) const;
  /// Null when the address is not a registered variable's.
  const RegisteredVariable* variable(const void* host_variable) const;
  /// The image's managed variables.
  std::vector<RegisteredVariable> managed_of(const Image* image) const;
  /// Gives all images' variables on the current device their declared values again.
  void initialise_variables();

 private:
  mutable std::mutex mutex_;
  std::map<const void*, std::unique_ptr<Image>> images_;
  std::map<const void*, std::unique_ptr<Kernel>> kernels_;
  std::map<const void*, Kernel*> functions_;
  std::map<const void*, RegisteredVariable> variables_;
};

/// The registry of this process; exists from the first constructor on and is never destroyed.
Registry& registry();

/// The kernel of a host function or handle, and what the machine knows about it.
struct FoundKernel {
  Kernel& kernel;
  const machine::KernelInfo& info;
};
/// @throws Failure cudaErrorInvalidResourceHandle when there is none, and
/// cudaErrorInvalidDeviceFunction for null.
FoundKernel find_kernel(const void* function_or_handle);

/// The host sets the variable on the current device.
void note_set(const void* host_variable);

/// @throws Failure cudaErrorInvalidSymbol when the address is not a variable's, then the sticky
/// error.
const machine::Variable& find_variable(const void* host_variable);

/// Gives the image's managed variables an address that host and device share.
void place_managed(Image& image);

}  // namespace warpwise::cudart
