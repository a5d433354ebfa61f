#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/cudart/launch/library_text.h"
#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/report/console.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/wrapper.h"
#include "simulator/image/elf.h"

// Images that a program loads while it runs. A library handle is its Image.
namespace warpwise::cudart {
namespace {

constexpr std::uint32_t container_magic = 0xBA55ED50;
constexpr std::uint32_t elf_magic = 0x464C457F;

std::unique_ptr<Image> text_image(std::string_view text) {
  image::Entry entry = {};
  entry.kind = image::Entry::Kind::ptx;
  entry.architecture = target_of(text);
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  entry.payload.assign(bytes, bytes + text.size());
  return std::make_unique<Image>(std::vector{entry}, true);
}

/// An image of compiled code. Code for other GPUs is refused as on a real one; the simulator cannot
/// run code for this GPU.
std::unique_ptr<Image> cubin_image(unsigned architecture) {
  image::Entry entry = {};
  entry.kind = image::Entry::Kind::cubin;
  entry.architecture = architecture;
  if (!entry.runs_on(static_cast<unsigned>(runtime().gpu.compute_capability)))
    return std::make_unique<Image>(std::vector{entry});
  stop_unsupported(
      "simulator: the image is a cubin, compiled code without PTX, which the simulator cannot run; "
      "build a fat binary with nvcc -fatbin -gencode arch=compute_90,code=[sm_90,compute_90]");
}

/// @param code readable up to the size that its header gives.
std::unique_ptr<Image> read_memory(const void* code) {
  std::uint32_t magic = 0;
  const void* container = code;
  std::memcpy(&magic, code, sizeof magic);
  if (magic == Wrapper::right_magic) {
    std::memcpy(&container, static_cast<const char*>(code) + offsetof(Wrapper, container),
                sizeof container);
    magic = container_magic;
  }
  if (magic == container_magic) return std::make_unique<Image>(image::read_container_at(container));
  if (magic != elf_magic) return text_image(static_cast<const char*>(code));
  constexpr std::size_t header_bytes = 64;
  return cubin_image(
      image::architecture_of_elf({static_cast<const std::byte*>(code), header_bytes}));
}

std::string bytes_of_file(const char* name) {
  if (std::filesystem::is_directory(name))
    throw Failure{cudaErrorMemoryAllocation, fmt::format("{} is a directory", name)};
  std::ifstream file(name, std::ios::binary);
  if (!file) throw Failure{cudaErrorFileNotFound, fmt::format("{} cannot be read", name)};
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.empty()) throw Failure{cudaErrorInvalidKernelImage, fmt::format("{} is empty", name)};
  return bytes;
}

std::unique_ptr<Image> read_file(const std::string& bytes) {
  std::uint32_t magic = 0;
  if (bytes.size() >= sizeof magic) std::memcpy(&magic, bytes.data(), sizeof magic);
  const auto whole = std::as_bytes(std::span(bytes));
  if (magic == container_magic) return std::make_unique<Image>(image::read_container(whole));
  if (magic != elf_magic) return text_image(bytes.c_str());
  return cubin_image(image::read_elf(whole).architecture);
}

/// @throws Failure where an option is unknown or lacks its value. Options of the compiler change
/// nothing here.
template <typename Option>
void check_options(const Option* options, void* const* values, unsigned count, Option last) {
  if (count != 0 && (options == nullptr || values == nullptr))
    throw Failure{cudaErrorInvalidValue, "options have values"};
  for (unsigned i = 0; i < count; ++i)
    if (options[i] < Option{} || options[i] > last)
      throw Failure{cudaErrorInvalidValue, "unknown option"};
}

/// Damage is reported when the library is used.
template <typename Read>
std::unique_ptr<Image> image_of(const Read& read) {
  try {
    return read();
  } catch (const image::ImageError& damaged) {
    return std::make_unique<Image>(damaged);
  }
}

Image& find_library(cudaLibrary_t library) {
  if (!registry().is_image(library)) {
    throw Failure{cudaErrorInvalidResourceHandle, "the library was not loaded, or is unloaded"};
  }
  return *reinterpret_cast<Image*>(library);
}

/// The library's code, which is first read here. @throws Failure where that fails.
machine::Module& module_of(cudaLibrary_t library) {
  Image& image = find_library(library);
  try {
    machine::Module& module = image.module();
    if (!image.is_text()) return module;
    for (const std::string& kernel : module.kernel_names()) {
      const std::string mistake = module.mistake_in(kernel);
      if (!mistake.empty()) throw Failure{cudaErrorInvalidPtx, mistake};
    }
    return module;
  } catch (const machine::Unsupported& wrong) {
    throw Failure{cudaErrorInvalidPtx, wrong.message};
  } catch (const image::ImageError& damaged) {
    throw Failure{cudaErrorInvalidKernelImage, damaged.message};
  }
}

/// The kernels of a library: none where its code cannot be used. Only a lookup of a kernel or a
/// variable by name reports the reason.
std::vector<std::string> kernels_of(cudaLibrary_t library) {
  find_library(library);
  try {
    return module_of(library).kernel_names();
  } catch (const Failure& failure) {
    explain(fmt::format("note: the library has no kernels: {}", failure.why));
    return {};
  }
}

/// How a library is to be compiled, as the program asks. Only a wish for a log changes anything.
struct Compiling {
  const cudaJitOption* options;
  void** values;
  unsigned count;

  /// The place of an option's value; null where the option was not given.
  void** value_of(cudaJitOption option) const {
    const auto* found = std::find(options, options + count, option);
    return found == options + count ? nullptr : values + (found - options);
  }
  /// A log of errors reports at once what would otherwise be reported when the library is used.
  void write_log(cudaLibrary_t library) const {
    if (count == 0) return;
    void** buffer = value_of(cudaJitErrorLogBuffer);
    void** bytes = value_of(cudaJitErrorLogBufferSizeBytes);
    if (buffer == nullptr || bytes == nullptr) return;
    std::string text;
    try {
      module_of(library);
    } catch (const Failure& failure) {
      text = failure.why;
    }
    const auto room = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(*bytes));
    if (room == 0) return;
    const std::size_t written = std::min<std::size_t>(text.size(), room - 1);
    std::memcpy(*buffer, text.c_str(), written);
    static_cast<char*>(*buffer)[written] = 0;
    *bytes = reinterpret_cast<void*>(written);
  }
};

void add_library(cudaLibrary_t* library, std::unique_ptr<Image> image, const Compiling& how) {
  *library = reinterpret_cast<cudaLibrary_t>(registry().add_image(std::move(image)));
  how.write_log(*library);
}

cudaKernel_t handle(Image& image, const std::string& name) {
  return reinterpret_cast<cudaKernel_t>(registry().add_kernel(&image, name));
}

const machine::Variable& variable_of(cudaLibrary_t library, const char* name, bool managed) {
  const machine::Module& module = module_of(library);
  const machine::Variable* found = module.variable(name);
  if (found == nullptr) {
    if (!managed && module.kernel(name) != nullptr)
      throw Failure{cudaErrorInvalidValue, fmt::format("{} is a kernel", name)};
    throw Failure{cudaErrorSymbolNotFound, fmt::format("the library has no variable {}", name)};
  }
  return *found;
}

void get_variable(void** pointer, std::size_t* bytes, cudaLibrary_t library, const char* name,
                  bool managed) {
  if (given(name) == 0) throw Failure{cudaErrorInvalidValue, ""};
  find_library(library);
  if (!managed) need_device();
  const machine::Variable& found = variable_of(library, name, managed);
  if (managed && !found.managed) {
    throw Failure{cudaErrorSymbolNotFound, fmt::format("{} is not __managed__", name)};
  }
  if (managed) runtime().memory.make_managed(found.address);
  if (pointer != nullptr) *pointer = reinterpret_cast<void*>(found.address);
  if (bytes != nullptr) *bytes = found.bytes;
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* compiling,
                                void** compiling_values, unsigned compiling_count,
                                cudaLibraryOption* loading, void** loading_values,
                                unsigned loading_count) {
  return call_without_device("cudaLibraryLoadData", [&] {
    given(library), given(code);
    check_options(compiling, compiling_values, compiling_count, cudaJitOverrideDirectiveValues);
    check_options(loading, loading_values, loading_count, cudaLibraryBinaryIsPreserved);
    add_library(library, image_of([&] { return read_memory(code); }),
                {compiling, compiling_values, compiling_count});
  });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* name,
                                    cudaJitOption* compiling, void** compiling_values,
                                    unsigned compiling_count, cudaLibraryOption* loading,
                                    void** loading_values, unsigned loading_count) {
  return call_without_device("cudaLibraryLoadFromFile", [&] {
    given(library);
    if (given(name) == 0) throw Failure{cudaErrorInvalidValue, ""};
    check_options(compiling, compiling_values, compiling_count, cudaJitOverrideDirectiveValues);
    check_options(loading, loading_values, loading_count, cudaLibraryBinaryIsPreserved);
    const std::string bytes = bytes_of_file(name);
    add_library(library, image_of([&] { return read_file(bytes); }),
                {compiling, compiling_values, compiling_count});
  });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return call_without_device("cudaLibraryUnload", [&] {
    Image& image = find_library(library);
    forbid_while_capturing();
    runtime().queue.wait_for_all();
    registry().forget(&image);
    if (!faulted()) after_wait();
  });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return call_without_device("cudaLibraryGetKernel", [&] {
    given(kernel), given(name);
    Image& image = find_library(library);
    if (module_of(library).kernel(name) == nullptr) {
      throw Failure{cudaErrorSymbolNotFound, fmt::format("the library has no kernel {}", name)};
    }
    *kernel = handle(image, name);
  });
}

cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
  return call_without_device("cudaLibraryGetKernelCount", [&] {
    given(count);
    *count = static_cast<unsigned>(kernels_of(library).size());
  });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned count,
                                        cudaLibrary_t library) {
  return call_without_device("cudaLibraryEnumerateKernels", [&] {
    given(kernels);
    Image& image = find_library(library);
    const std::vector<std::string> names = kernels_of(library);
    for (unsigned i = 0; i < std::min<std::size_t>(count, names.size()); ++i) {
      kernels[i] = handle(image, names[i]);
    }
  });
}

cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, cudaLibrary_t library,
                                 const char* name) {
  return call_after_fault("cudaLibraryGetGlobal",
                          [&] { get_variable(pointer, bytes, library, name, false); });
}

cudaError_t cudaLibraryGetManaged(void** pointer, size_t* bytes, cudaLibrary_t library,
                                  const char* name) {
  return call_without_device("cudaLibraryGetManaged",
                             [&] { get_variable(pointer, bytes, library, name, true); });
}

cudaError_t cudaLibraryGetUnifiedFunction(void** function, cudaLibrary_t library,
                                          const char* name) {
  return call_without_device("cudaLibraryGetUnifiedFunction", [&] {
    given(function), given(name);
    find_library(library);
    // No host and device here share a function's address, as on nearly every GPU.
    throw Failure{cudaErrorInvalidValue, fmt::format("{} is not a unified function", name)};
  });
}
}
