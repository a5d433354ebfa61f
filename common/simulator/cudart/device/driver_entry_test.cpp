#include <cuda.h>
#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "simulator/cudart/tests/child.h"

// Functions of the driver that a program looks for by name; answers/ has the answers of an H100.
namespace warpwise::cudart {
namespace {

template <typename Function>
Function* entry(const char* name, unsigned version = CUDART_VERSION) {
  void* function = nullptr;
  REQUIRE(cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, nullptr) ==
          cudaSuccess);
  return reinterpret_cast<Function*>(function);
}

TEST_CASE("what fails in a function of the driver is not an error of the runtime") {
  CUdeviceptr address = 0;
  auto* allocate = entry<CUresult(CUdeviceptr*, std::size_t)>("cuMemAlloc");
  auto* release = entry<CUresult(CUdeviceptr)>("cuMemFree");
  cudaGetLastError();
  CHECK(allocate(&address, std::size_t{1} << 50) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(cudaGetLastError() == cudaSuccess);
  cudaSetDevice(99);
  CHECK(allocate(&address, 64) == CUDA_SUCCESS);
  CHECK(release(address + 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(release(address) == CUDA_SUCCESS);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
}

TEST_CASE("child: a function of the driver that is not there" * doctest::skip()) {
  entry<CUresult()>("cuMemCreate")();
}

TEST_CASE("child: a function of the driver as it was" * doctest::skip()) {
  entry<CUresult()>("cuMemAlloc", 2000)();
}

TEST_CASE("a function of the driver that the simulator lacks is there, and says so when called") {
  const Ending lacking = run_case("child: a function of the driver that is not there");
  CHECK(lacking.status == 3);
  CHECK(lacking.says("cuMemCreate of the driver is not available"));
  const Ending older = run_case("child: a function of the driver as it was");
  CHECK(older.status == 3);
  CHECK(older.says("cuMemAlloc of the driver is not available"));
}

TEST_CASE("the log of errors of a library says what is wrong with its text") {
  char log[40] = "";
  cudaLibrary_t library = nullptr;
  cudaJitOption options[] = {cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  const auto load = [&](const char* text) {
    return cudaLibraryLoadData(&library, text, options, values, 2, nullptr, nullptr, 0);
  };
  CHECK(load("nonsense") == cudaSuccess);
  CHECK(std::string(log).starts_with("the library is neither"));
  CHECK(std::strlen(log) == sizeof log - 1);
  CHECK(values[1] == reinterpret_cast<void*>(sizeof log - 1));
  values[1] = reinterpret_cast<void*>(sizeof log);
  CHECK(load(".version 8.0\n.target sm_80\n.address_size 64\n") == cudaSuccess);
  CHECK(std::string(log).empty());
}

}  // namespace
}  // namespace warpwise::cudart
