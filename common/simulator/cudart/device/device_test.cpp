#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string>

#include "simulator/cudart/device/preload.h"
#include "simulator/cudart/device/properties.h"
#include "simulator/cudart/device/settings.h"
#include "simulator/cudart/tests/child.h"
#include "simulator/cudart/tests/fake_module.h"

namespace warpwise::cudart {
namespace {

TEST_CASE("there is one device, and it says that it is simulated") {
  int count = 0, device = -1, version = 0;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaRuntimeGetVersion(&version) == cudaSuccess);
  CHECK(version == 13000);
  CHECK(cudaDriverGetVersion(&version) == cudaSuccess);
  CHECK(version == 13000);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(std::string(properties.name) == "NVIDIA H200 (simulated)");
  CHECK(properties.multiProcessorCount == 132);
  CHECK(cudaGetDeviceProperties(&properties, 3) == cudaErrorInvalidDevice);
  CHECK(cudaGetDeviceProperties(nullptr, 0) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("attributes agree with the properties on every GPU") {
  for (const occupancy::Gpu& gpu : occupancy::gpu_table()) {
    const cudaDeviceProp p = properties_of(gpu);
    CHECK(attribute_of(gpu, cudaDevAttrComputeCapabilityMajor) == p.major);
    CHECK(attribute_of(gpu, cudaDevAttrComputeCapabilityMinor) == p.minor);
    CHECK(p.major * 10 + p.minor == gpu.compute_capability);
    CHECK(attribute_of(gpu, cudaDevAttrMultiProcessorCount) == gpu.sms);
    CHECK(attribute_of(gpu, cudaDevAttrMaxSharedMemoryPerBlockOptin) ==
          gpu.shared_bytes_per_block_max);
    CHECK(attribute_of(gpu, cudaDevAttrMaxBlocksPerMultiprocessor) == gpu.blocks_per_sm);
    CHECK(attribute_of(gpu, cudaDevAttrReservedSharedMemoryPerBlock) ==
          gpu.shared_reserved_per_block);
    CHECK(attribute_of(gpu, cudaDevAttrMaxThreadsPerMultiProcessor) == gpu.threads_per_sm);
    const double bytes_per_clock = 2.0 * *attribute_of(gpu, cudaDevAttrGlobalMemoryBusWidth) / 8;
    const double gbps =
        bytes_per_clock * *attribute_of(gpu, cudaDevAttrMemoryClockRate) * 1e3 / 1e9;
    CHECK(gbps == doctest::Approx(gpu.memory_gbps).epsilon(0.004));
  }
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0) == cudaSuccess);
  CHECK(value == 32);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0) == cudaSuccess);
  CHECK(value == 1);
  CHECK(attribute_of(*occupancy::find_gpu("a100"), cudaDevAttrClusterLaunch) == 0);
  CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, -1) == cudaErrorInvalidDevice);
  cudaGetLastError();
}

TEST_CASE("limits are remembered") {
  size_t value = 0;
  CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 22) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize) == cudaSuccess);
  CHECK(value == 1 << 22);
  CHECK(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(0x77)) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("errors have names and texts") {
  CHECK(std::string(cudaGetErrorName(cudaSuccess)) == "cudaSuccess");
  CHECK(std::string(cudaGetErrorString(cudaErrorInvalidValue)) == "invalid argument");
  CHECK(std::string(cudaGetErrorString(cudaErrorStreamCaptureMerge)) ==
        "operation would result in a merge of separate capture sequences");
  CHECK(std::string(cudaGetErrorName(static_cast<cudaError_t>(12345))) ==
        "unrecognized error code");
}

TEST_CASE("a kernel's attributes are what the machine knows of it") {
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, fake_kernel("bounded")) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 128);
  CHECK(attributes.sharedSizeBytes == 1024);
  CHECK(attributes.numRegs == 32);
  CHECK(attributes.binaryVersion == 90);
  CHECK(cudaFuncGetAttributes(&attributes, fake_kernel("hungry")) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 256);
  CHECK(attributes.maxDynamicSharedSizeBytes == 48 * 1024);
  CHECK(cudaFuncGetAttributes(&attributes, &attributes) == cudaErrorInvalidResourceHandle);
  const char* name = nullptr;
  CHECK(cudaFuncGetName(&name, fake_kernel("fill")) == cudaSuccess);
  CHECK(std::string(name) == "fill");
  size_t offset = 0, bytes = 0;
  CHECK(cudaFuncGetParamInfo(fake_kernel("fill"), 2, &offset, &bytes) == cudaSuccess);
  CHECK(offset == 12);
  CHECK(bytes == 4);
  CHECK(cudaFuncGetParamInfo(fake_kernel("fill"), 3, &offset, &bytes) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetCacheConfig(fake_kernel("fill"), cudaFuncCachePreferNone) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("occupancy of the H200") {
  int blocks = -1;
  const cudaKernel_t fill = fake_kernel("fill");
  const auto ask = [&](int threads, size_t bytes) {
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, threads, bytes) ==
          cudaSuccess);
    return blocks;
  };
  CHECK(ask(128, 0) == 16);
  CHECK(ask(128, 32 * 1024) == 6);
  CHECK(ask(2000, 0) == 0);
  CHECK(ask(128, ~size_t{0}) == 0);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fake_kernel("bounded"), 129, 0) ==
        cudaSuccess);
  CHECK(blocks == 12);  // The launch bounds do not count: 5 warps of 64.
  size_t bytes = 0;
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fill, 6, 128) == cudaSuccess);
  // As on a GPU, the reserved bytes of each block are forgotten.
  CHECK(bytes == 38912);
  CHECK(ask(128, bytes - 1024) == 6);
  CHECK(ask(128, bytes) == 5);
  CHECK(ask(128, 48 * 1024) == 4);
  CHECK(ask(128, 48 * 1024 + 1) == 0);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fill, 33, 128) == cudaErrorInvalidValue);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 0, 0) ==
        cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("a preferred carveout takes shared memory from the blocks of an SM, but not the first") {
  const cudaKernel_t fill = fake_kernel("fill");
  const auto prefer = [&](int percent) {
    CHECK(cudaFuncSetAttribute(fill, cudaFuncAttributePreferredSharedMemoryCarveout, percent) ==
          cudaSuccess);
  };
  const auto ask = [&](size_t bytes) {
    int blocks = -1;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 64, bytes) == cudaSuccess);
    return blocks;
  };
  CHECK(ask(10000) == 20);
  prefer(75);  // 171 KiB: the next step has 196
  CHECK(ask(10000) == 18);
  size_t bytes = 0;
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fill, 8, 128) == cudaSuccess);
  CHECK(bytes == 196 * 1024 / 8);
  prefer(0);
  CHECK(ask(10000) == 1);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fill, 1, 128) == cudaSuccess);
  CHECK(bytes == 48 * 1024);
  prefer(100);
  CHECK(ask(10000) == 20);
  prefer(-1);
}

TEST_CASE("a cache configuration is a carveout, unless one is set") {
  const cudaKernel_t fill = fake_kernel("fill");
  const auto blocks = [&] {
    int count = -1;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, fill, 64, 10000) == cudaSuccess);
    return count;
  };
  CHECK(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferL1) == cudaSuccess);
  CHECK(blocks() == 1);
  CHECK(cudaFuncSetAttribute(fill, cudaFuncAttributePreferredSharedMemoryCarveout, 100) ==
        cudaSuccess);
  CHECK(blocks() == 20);
  CHECK(cudaFuncSetAttribute(fill, cudaFuncAttributePreferredSharedMemoryCarveout, -1) ==
        cudaSuccess);
  CHECK(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferEqual) == cudaSuccess);
  CHECK(blocks() == 12);  // of 132 KiB
  CHECK(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferShared) == cudaSuccess);
  CHECK(blocks() == 20);
  CHECK(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferNone) == cudaSuccess);
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess);
  CHECK(blocks() == 1);
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone) == cudaSuccess);
  CHECK(blocks() == 20);
}

TEST_CASE("a library enumerates its kernels") {
  unsigned count = 0;
  const cudaLibrary_t library = fake_library();
  REQUIRE(cudaLibraryGetKernelCount(&count, library) == cudaSuccess);
  CHECK(count == 10);
  cudaKernel_t kernels[20] = {};
  CHECK(cudaLibraryEnumerateKernels(kernels, 20, library) == cudaSuccess);
  const char* name = nullptr;
  CHECK(cudaFuncGetName(&name, kernels[0]) == cudaSuccess);
  CHECK(fake_kernel(name) == kernels[0]);
  CHECK(kernels[11] == nullptr);
  cudaKernel_t missing = nullptr;
  CHECK(cudaLibraryGetKernel(&missing, library, "no_such_kernel") == cudaErrorSymbolNotFound);
  CHECK(cudaLibraryGetKernel(&missing, nullptr, "fill") == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST_CASE("an unloaded library's handles are stale, not dangling") {
  FakeImage image;
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  REQUIRE(cudaLibraryLoadData(&library, &image.container, nullptr, nullptr, 0, nullptr, nullptr,
                              0) == cudaSuccess);
  REQUIRE(cudaLibraryGetKernel(&kernel, library, "fill") == cudaSuccess);
  int *x = nullptr, value = 6, n = 1;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&x), sizeof(int)) == cudaSuccess);
  void* arguments[] = {&x, &value, &n};
  CHECK(cudaLaunchKernel(kernel, 1, 1, arguments, 0, nullptr) == cudaSuccess);
  CHECK(cudaLibraryUnload(library) == cudaSuccess);
  // Its last launch was done before the code went away.
  CHECK(runtime().memory.host(reinterpret_cast<std::uint64_t>(x))[0] == std::byte{6});
  CHECK(cudaLaunchKernel(kernel, 1, 1, nullptr, 0, nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaLibraryUnload(library) == cudaErrorInvalidResourceHandle);
  cudaFree(x), cudaGetLastError();
}

TEST_CASE("bytes that are not images are refused where they are used") {
  cudaLibrary_t library = nullptr;
  unsigned count = 0;
  const auto load = [&](const char* code) {
    return cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
  };
  cudaKernel_t kernel = nullptr;
  CHECK(load("hello, world") == cudaSuccess);
  CHECK(cudaLibraryGetKernelCount(&count, library) == cudaSuccess);
  CHECK(count == 0);
  CHECK(cudaLibraryGetKernel(&kernel, library, "k") == cudaErrorInvalidKernelImage);
  CHECK(load(".version 9.0\n.target sm_90\n.address_size 64\n") == cudaSuccess);
  CHECK(load(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaLibraryLoadFromFile(&library, "/no/such/file", nullptr, nullptr, 0, nullptr, nullptr,
                                0) == cudaErrorFileNotFound);
  CHECK(cudaLibraryLoadFromFile(&library, "/dev/null", nullptr, nullptr, 0, nullptr, nullptr, 0) ==
        cudaErrorInvalidKernelImage);
  cudaGetLastError();
}

TEST_CASE("child: a cubin" * doctest::skip()) {
  cudaLibrary_t library = nullptr;
  // No more than its header is looked at: 64 bits, of CUDA 13, of a GPU, with sections, for sm_90.
  unsigned char header[64] = {0x7f, 'E', 'L', 'F', 2, 1, 0, 0, 8};
  header[18] = 190, header[40] = 64, header[49] = 90;
  cudaLibraryLoadData(&library, header, nullptr, nullptr, 0, nullptr, nullptr, 0);
}

TEST_CASE("child: any call" * doctest::skip()) {
  cudaFree(nullptr);
  cudaDeviceSynchronize();
}

TEST_CASE("a cubin without PTX is refused with the flag that corrects it") {
  const Ending ending = run_case("child: a cubin");
  CHECK(ending.status == 3);
  CHECK(ending.says("code=[sm_90,compute_90]"));
}

TEST_CASE("child: a call of the driver" * doctest::skip()) {
  for (const int signal : {SIGSEGV, SIGABRT}) ::signal(signal, SIG_DFL);  // without doctest's own
  void* entry = &entry;
  CHECK(cudaGetDriverEntryPointByVersion("cuNoSuchThing", &entry, 12000, cudaEnableDefault,
                                         nullptr) == cudaSuccess);
  reinterpret_cast<void (*)()>(entry)();
}

TEST_CASE("a program that calls a function of the driver learns which") {
  const Ending ending = run_case("child: a call of the driver");
  CHECK(ending.status == 3);
  CHECK(ending.says("calls a function of the driver"));
  CHECK(ending.says("was cuNoSuchThing"));
}

TEST_CASE("settings that make no sense end the program with status 3") {
  const Ending gpu = run_case("child: any call", "WARPWISE_GPU=voodoo2");
  CHECK(gpu.status == 3);
  CHECK(gpu.says("voodoo2"));
  CHECK(gpu.says("h200"));
  const Ending threads = run_case("child: any call", "WARPWISE_THREADS=two");
  CHECK(threads.status == 3);
  CHECK(threads.says("WARPWISE_THREADS=two"));
  CHECK(run_case("child: any call", "WARPWISE_BUDGET=-1").status == 3);
  CHECK(run_case("child: any call", "WARPWISE_LIMIT=nan").status == 3);
  CHECK(run_case("child: any call", "WARPWISE_LIMIT=1e30").status == 0);
  CHECK(run_case("child: any call", "WARPWISE_GPU='RTX 4090' WARPWISE_THREADS=1").status == 0);
}

TEST_CASE("our entry leaves LD_PRELOAD, others stay") {
  CHECK(without_entry("/a/libcudart.so.13", "/a/libcudart.so.13").empty());
  CHECK(without_entry("/a/x.so:/a/libcudart.so.13 /b/y.so", "/a/libcudart.so.13") ==
        "/a/x.so:/b/y.so");
  CHECK(without_entry("", "/a/libcudart.so.13").empty());
  CHECK(without_entry("::/c/z.so", "/a") == "/c/z.so");
  CHECK(without_entry("/proc/self/../self/exe", "/proc/self/exe").empty());
}

TEST_CASE("after a reset variables hold what they were declared with") {
  void* counter = nullptr;
  std::size_t bytes = 0;
  int value = 5;
  CHECK(cudaLibraryGetGlobal(&counter, &bytes, fake_library(), "counter") == cudaSuccess);
  CHECK(cudaMemcpy(counter, &value, sizeof value, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaLibraryGetGlobal(&counter, &bytes, fake_library(), "counter") == cudaSuccess);
  CHECK(cudaMemcpy(&value, counter, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(value == 0);
}

TEST_CASE("values that a device cannot have are refused, or mended, as on an H200") {
  CHECK(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield) ==
        cudaErrorInvalidValue);
  CHECK(cudaSetDeviceFlags(cudaDeviceScheduleYield) == cudaSuccess);
  CHECK(cudaSetDeviceFlags(0) == cudaSuccess);
  int device = 0;
  CHECK(cudaDeviceGetByPCIBusId(&device, "0000:ff:1f.0") == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetByPCIBusId(&device, "nonsense") == cudaErrorInvalidValue);
  std::size_t bytes = 0;
  CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize) == cudaSuccess);
  CHECK(bytes == 512 << 10);
  CHECK(cudaFuncSetCacheConfig(fake_kernel("fill"), static_cast<cudaFuncCache>(7)) ==
        cudaErrorInvalidValue);
  cudaDeviceProp properties = {};
  CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(properties.uuid.bytes[0] != 0);
  CHECK(cudaDeviceReset() == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("a heap that kernels have used keeps its size") {
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20) == cudaSuccess);
  const auto* piece = runtime().memory.allocate(64, memory::Kind::heap);
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20) == cudaErrorInvalidValue);
  runtime().memory.release(piece->base);
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("the largest cluster of a launch that asks for too large a one is an error") {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {16, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = 64, config.blockDim = 32;
  config.attrs = &attribute, config.numAttrs = 1;
  int size = -1;
  CHECK(cudaOccupancyMaxPotentialClusterSize(&size, fake_kernel("fill"), &config) ==
        cudaErrorInvalidClusterSize);
  CHECK(size == -1);
  attribute.val.clusterDim = {8, 1, 1};
  CHECK(cudaOccupancyMaxPotentialClusterSize(&size, fake_kernel("fill"), &config) == cudaSuccess);
  CHECK(size == 8);
  cudaGetLastError();
}

TEST_CASE(
    "a launch has to name the cluster that cudaFuncSetAttribute requires, even of one block") {
  const void* const kernel = fake_kernel("fill");
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  cudaLaunchConfig_t config = {};
  config.gridDim = 64, config.blockDim = 32;
  config.attrs = &attribute;
  int clusters = -1;
  for (const unsigned required : {1u, 2u}) {
    REQUIRE(cudaFuncSetAttribute(kernel, cudaFuncAttributeRequiredClusterWidth,
                                 static_cast<int>(required)) == cudaSuccess);
    config.numAttrs = 0;
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config) ==
          cudaErrorInvalidClusterSize);
    CHECK(clusters == -1);
    config.numAttrs = 1;
    attribute.val.clusterDim = {required, 1, 1};
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config) == cudaSuccess);
    clusters = -1;
  }
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeRequiredClusterWidth, 0) == cudaSuccess);
  cudaGetLastError();
}

}  // namespace
}  // namespace warpwise::cudart
