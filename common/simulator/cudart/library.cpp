#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/cudart/error.h"
#include "simulator/cudart/registry.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/wrapper.h"

// Images that a program loads while it runs. A library handle is its Image.
namespace warpwise::cudart {
namespace {

constexpr std::uint32_t container_magic = 0xBA55ED50;
constexpr std::uint32_t elf_magic = 0x464C457F;

/// The architecture that a PTX text names: 90 for ".target sm_90"; 0 where it names none. Like
/// every mistake in the text, that comes out when the library is first used.
std::uint32_t target_of(std::string_view ptx) {
  const std::size_t target = ptx.find(".target");
  const std::size_t digits = ptx.find("sm_", target);
  if (target == std::string_view::npos || digits == std::string_view::npos) return 0;
  std::uint32_t architecture = 0;
  for (const char c : ptx.substr(digits + 3)) {
    if (c < '0' || c > '9' || architecture > 1000) break;
    architecture = architecture * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return architecture;
}

std::vector<image::Entry> ptx_entry(std::string_view text) {
  image::Entry entry = {};
  entry.kind = image::Entry::Kind::ptx;
  entry.architecture = target_of(text);
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  entry.payload.assign(bytes, bytes + text.size());
  return {entry};
}

[[noreturn]] void refuse_cubin() {
  stop_unsupported(
      "simulator: the image is a cubin, compiled code without PTX, which the simulator cannot run; "
      "build a fat binary with nvcc -fatbin -gencode arch=compute_90,code=[sm_90,compute_90]");
}

/// @param bytes readable so far as the format says of itself.
std::vector<image::Entry> read_memory(const void* code) {
  std::uint32_t magic = 0;
  const void* container = code;
  std::memcpy(&magic, code, sizeof magic);
  if (magic == Wrapper::right_magic) {
    std::memcpy(&container, static_cast<const char*>(code) + offsetof(Wrapper, container),
                sizeof container);
    magic = container_magic;
  }
  if (magic == container_magic) return image::read_container_at(container);
  if (magic == elf_magic) refuse_cubin();
  return ptx_entry(static_cast<const char*>(code));
}

std::vector<image::Entry> read_file(const char* name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) throw Failure{cudaErrorFileNotFound, fmt::format("{} cannot be read", name)};
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  std::uint32_t magic = 0;
  if (bytes.size() >= sizeof magic) std::memcpy(&magic, bytes.data(), sizeof magic);
  if (magic == container_magic) return image::read_container(std::as_bytes(std::span(bytes)));
  if (magic == elf_magic) refuse_cubin();
  return ptx_entry(std::string_view(bytes.data(), bytes.size()));
}

void add_library(cudaLibrary_t* library, std::vector<image::Entry> entries) {
  auto image = std::make_unique<Image>(std::move(entries));
  *library = reinterpret_cast<cudaLibrary_t>(registry().add_image(std::move(image)));
}

Image& find_library(cudaLibrary_t library) {
  if (!registry().is_image(library)) {
    throw Failure{cudaErrorInvalidResourceHandle, "the library was not loaded, or is unloaded"};
  }
  return *reinterpret_cast<Image*>(library);
}

/// The library's code, which is read here first. @throws Failure where that fails.
machine::Module& module_of(cudaLibrary_t library) {
  try {
    return find_library(library).module();
  } catch (const machine::Unsupported& wrong) {
    throw Failure{cudaErrorInvalidPtx, wrong.message};
  }
}

cudaKernel_t handle(Image& image, const std::string& name) {
  return reinterpret_cast<cudaKernel_t>(registry().add_kernel(&image, name));
}

const machine::Variable& variable_of(cudaLibrary_t library, const char* name) {
  const machine::Variable* found = module_of(library).variable(name);
  if (found == nullptr) {
    throw Failure{cudaErrorSymbolNotFound, fmt::format("the library has no variable {}", name)};
  }
  return *found;
}

void get_variable(void** pointer, std::size_t* bytes, cudaLibrary_t library, const char* name,
                  bool managed) {
  if (name == nullptr) throw Failure{cudaErrorInvalidValue, ""};
  const machine::Variable& found = variable_of(library, name);
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

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption*, void**,
                                unsigned, cudaLibraryOption*, void**, unsigned) {
  return call("cudaLibraryLoadData", [&] {
    if (library == nullptr || code == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    add_library(library, read_memory(code));
  });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* name, cudaJitOption*,
                                    void**, unsigned, cudaLibraryOption*, void**, unsigned) {
  return call("cudaLibraryLoadFromFile", [&] {
    if (library == nullptr || name == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    add_library(library, read_file(name));
  });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return call("cudaLibraryUnload", [&] {
    Image& image = find_library(library);
    runtime().queue.wait_for_all();
    registry().forget(&image);
    after_wait();
  });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return call("cudaLibraryGetKernel", [&] {
    if (kernel == nullptr || name == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    Image& image = find_library(library);
    if (module_of(library).kernel(name) == nullptr) {
      throw Failure{cudaErrorSymbolNotFound, fmt::format("the library has no kernel {}", name)};
    }
    *kernel = handle(image, name);
  });
}

cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
  return call("cudaLibraryGetKernelCount", [&] {
    if (count == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    *count = static_cast<unsigned>(module_of(library).kernel_names().size());
  });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned count,
                                        cudaLibrary_t library) {
  return call("cudaLibraryEnumerateKernels", [&] {
    Image& image = find_library(library);
    const std::vector<std::string> names = module_of(library).kernel_names();
    if (kernels == nullptr && count > 0) throw Failure{cudaErrorInvalidValue, ""};
    for (unsigned i = 0; i < std::min<std::size_t>(count, names.size()); ++i) {
      kernels[i] = handle(image, names[i]);
    }
  });
}

cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, cudaLibrary_t library,
                                 const char* name) {
  return call("cudaLibraryGetGlobal", [&] { get_variable(pointer, bytes, library, name, false); });
}

cudaError_t cudaLibraryGetManaged(void** pointer, size_t* bytes, cudaLibrary_t library,
                                  const char* name) {
  return call("cudaLibraryGetManaged", [&] { get_variable(pointer, bytes, library, name, true); });
}

cudaError_t cudaLibraryGetUnifiedFunction(void** function, cudaLibrary_t library,
                                          const char* name) {
  return call("cudaLibraryGetUnifiedFunction", [&] {
    if (function == nullptr || name == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    find_library(library);
    // No host and device here share a function's address, as on nearly every GPU.
    throw Failure{cudaErrorInvalidValue, fmt::format("{} is no unified function", name)};
  });
}
}
