// Code for other GPUs than the one that is there: as a library, and as the program's own.
#include <cstring>

#include "answers.h"

#define IMAGE(name)                                                                     \
  asm(".pushsection .rodata\n.balign 8\n" #name ": .incbin \"" ANSWERS_IMAGES "/" #name \
      "\"\n.popsection");                                                               \
  extern "C" const char name[]

IMAGE(code_80_fatbin);
IMAGE(code_100_fatbin);
IMAGE(text_100_fatbin);
IMAGE(code_80_cubin);
IMAGE(code_100_cubin);

// Functions that nvcc's constructors call.
extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaRegisterFunction(void** handle, const char* host_function, char* device_function,
                            const char* name, int thread_limit, uint3* thread, uint3* block,
                            dim3* block_size, dim3* grid_size, int* warp_size);
void __cudaRegisterVar(void** handle, char* host_variable, char* address, const char* name,
                       int is_external, std::size_t bytes, int is_constant, int is_global);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared_bytes, cudaStream_t stream);
}

using namespace answers;

namespace {

void use_as_library(const char* what, const char* image) {
  about(what);
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr, all[2] = {};
  unsigned count = 99;
  void* address = nullptr;
  std::size_t bytes = 0;
  if (!ASK(cudaLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0))) return;
  ASK(cudaLibraryGetKernelCount(&count, library));
  SHOW(count);
  ASK(cudaLibraryEnumerateKernels(all, 2, library));
  SHOW(all[0]);
  ASK(cudaLibraryGetGlobal(&address, &bytes, library, "far_number"));
  ASK(cudaLibraryGetManaged(&address, &bytes, library, "far_number"));
  ASK(cudaLibraryGetKernel(&kernel, library, "far_kernel"));
  ASK(cudaLibraryGetKernel(&kernel, library, "another"));
  ASK(cudaLibraryUnload(library));
  ASK(cudaDeviceSynchronize());
}

/// The form in which a program's own image is registered.
struct Wrapper {
  int magic = 0x466243b1, version = 1;
  const void* image;
  const void* more = nullptr;
};

/// Registers the image as nvcc's constructors do, and asks for what is in it.
void use_as_program(const char* what, const char* image) {
  about(what);
  static char addresses[100];
  static int taken = 0;
  char *const function = &addresses[taken++], *const variable = &addresses[taken++];
  void** handle = __cudaRegisterFatBinary(new Wrapper{.image = image});
  __cudaRegisterFunction(handle, function, function, "far_kernel", -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
  __cudaRegisterVar(handle, variable, variable, "far_number", 0, 4, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
  int value = 0;
  int* x = nullptr;
  void* p = nullptr;
  void* arguments[] = {&x};
  std::size_t bytes = 0;
  cudaFuncAttributes attributes;
  const char* name = nullptr;
  cudaKernel_t kernel = nullptr;
  cudaFunction_t handle_of_function = nullptr;
  ASK(cudaMalloc(reinterpret_cast<void**>(&x), 4));
  ASK(cudaFuncGetAttributes(&attributes, function));
  ASK(cudaLaunchKernel(function, 1, 1, arguments, 0, nullptr));
  ASK(cudaLaunchKernel(function, 1, 1, arguments, 0, nullptr));
  ASK(cudaLaunchKernel(function, 0, 1, arguments, 0, nullptr));
  ASK(cudaLaunchKernel(function, 1, 2000, arguments, 0, nullptr));
  ASK(cudaLaunchKernel(function, 1, 1, nullptr, 0, nullptr));
  ASK(cudaLaunchCooperativeKernel(function, 1, 1, arguments, 0, nullptr));
  ASK(__cudaGetKernel(&kernel, function));
  ASK(__cudaLaunchKernel(kernel, 1, 1, arguments, 0, nullptr));
  ASK(cudaGetKernel(&kernel, function));
  ASK(cudaLaunchKernel(kernel, 1, 1, arguments, 0, nullptr));
  ASK(cudaGetFuncBySymbol(&handle_of_function, function));
  ASK(cudaFuncGetName(&name, function));
  ASK(cudaFuncGetParamInfo(function, 0, &bytes, &bytes));
  ASK(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, 1000));
  ASK(cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(99), 1000));
  ASK(cudaFuncSetCacheConfig(function, cudaFuncCachePreferL1));
  ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, function, 32, 0));
  ASK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 1, 32));
  ASK(cudaGetSymbolAddress(&p, variable));
  ASK(cudaGetSymbolSize(&bytes, variable));
  ASK(cudaMemcpyToSymbol(variable, &value, 4, 0, cudaMemcpyHostToDevice));
  ASK(cudaMemcpyFromSymbol(&value, variable, 4, 0, cudaMemcpyDeviceToHost));
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaKernelNodeParams params = {};
  params.func = function;
  params.gridDim = params.blockDim = dim3(1, 1, 1);
  params.kernelParams = arguments;
  ASK(cudaGraphCreate(&graph, 0));
  ASK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  ASK(cudaDeviceSynchronize());
  cudaStream_t stream = nullptr;
  cudaStreamCaptureStatus status = {};
  ASK(cudaStreamCreate(&stream));
  ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  ASK(cudaLaunchKernel(function, 1, 1, arguments, 0, stream));
  ASK(cudaStreamIsCapturing(stream, &status));
  SHOW(static_cast<int>(status));
  ASK(cudaStreamEndCapture(stream, &graph));
  ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, nullptr));
  ASK(cudaDeviceSynchronize());
}

}  // namespace

SUBJECT(foreign_libraries) {
  use_as_library("a fat binary of code for sm_80", code_80_fatbin);
  use_as_library("a fat binary of code for sm_100", code_100_fatbin);
  use_as_library("a fat binary of PTX for compute_100", text_100_fatbin);
  use_as_library("code for sm_80", code_80_cubin);
  use_as_library("code for sm_100", code_100_cubin);
}

SUBJECT(foreign_programs) {
  use_as_program("code for sm_80", code_80_fatbin);
  use_as_program("code for sm_100", code_100_fatbin);
  // The same with PTX for compute_100, which the simulator runs: it tells so
  // (machine/launch/image_choice.cpp).
}
