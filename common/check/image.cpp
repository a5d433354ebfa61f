#include "check/image.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "check/verdict/signature.h"
#include "lesson/device/error.h"
#include "lesson/device/launch.h"
#include "lesson/start/paths.h"

namespace warpwise::lesson {

Image::Image(const std::string& file) : bytes_(read_file(file)) {
  cudaLibrary_t library = nullptr;
  const cudaError_t status = bytes_.empty() ? cudaErrorInvalidKernelImage
                                            : cudaLibraryLoadData(&library, bytes_.data(), nullptr,
                                                                  nullptr, 0, nullptr, nullptr, 0);
  if (status == cudaErrorMemoryAllocation) {
    throw Stop(something_wrong, "its __device__ arrays take more memory than the whole GPU has.");
  }
  if (status != cudaSuccess) {
    throw Stop(bad_environment, fmt::format("{} cannot be loaded: {}; build it again with "
                                            "nvcc -fatbin",
                                            shown_path(file), cudaGetErrorString(status)));
  }
  library_ = library;
  unsigned count = 0;
  check(cudaLibraryGetKernelCount(&count, library));
  std::vector<cudaKernel_t> kernels(count);
  if (count > 0) check(cudaLibraryEnumerateKernels(kernels.data(), count, library));
  for (cudaKernel_t kernel : kernels) {
    const char* symbol = nullptr;
    check(cudaFuncGetName(&symbol, kernel));
    kernels_.emplace_back(written_signature(demangled(symbol)), kernel);
  }
}

Image::~Image() { (void)cudaLibraryUnload(static_cast<cudaLibrary_t>(library_)); }

std::vector<std::string> Image::kernel_names() const {
  std::vector<std::string> names;
  for (const auto& [name, kernel] : kernels_) names.push_back(name);
  return names;
}

const void* Image::kernel(const std::string& written) const {
  for (const auto& [name, kernel] : kernels_) {
    if (name == written) return kernel;
  }
  return nullptr;
}

}  // namespace warpwise::lesson
