#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "simulator/cudart/tests/child.h"
#include "simulator/cudart/tests/fake_module.h"

namespace warpwise::cudart {
namespace {

std::uint64_t number(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t value = 0;
  CHECK(cudaMemPoolGetAttribute(pool, attribute, &value) == cudaSuccess);
  return value;
}

TEST_CASE("a pool counts what was taken from it, and is not the device's default") {
  cudaMemPool_t standard = nullptr, own = nullptr, current = nullptr;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  properties.maxSize = 1 << 20;
  CHECK(cudaDeviceGetDefaultMemPool(&standard, 0) == cudaSuccess);
  CHECK(cudaMemPoolCreate(&own, &properties) == cudaSuccess);
  void *x = nullptr, *y = nullptr;
  CHECK(cudaMallocFromPoolAsync(&x, 1000, own, nullptr) == cudaSuccess);
  CHECK(number(own, cudaMemPoolAttrUsedMemCurrent) == 1000);
  CHECK(number(own, cudaMemPoolAttrReservedMemCurrent) == 32 << 20);
  CHECK(cudaMallocFromPoolAsync(&y, 33 << 20, own, nullptr) == cudaErrorMemoryAllocation);
  CHECK(cudaFreeAsync(x, nullptr) == cudaSuccess);
  CHECK(number(own, cudaMemPoolAttrUsedMemCurrent) == 0);
  CHECK(number(own, cudaMemPoolAttrUsedMemHigh) == 1000);
  std::uint64_t zero = 0, one = 1;
  CHECK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &one) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &zero) == cudaSuccess);
  CHECK(number(own, cudaMemPoolAttrUsedMemHigh) == 0);
  CHECK(cudaDeviceSetMemPool(0, own) == cudaSuccess);
  CHECK(cudaMallocAsync(&x, 100, nullptr) == cudaSuccess);
  CHECK(number(own, cudaMemPoolAttrUsedMemCurrent) == 100);
  CHECK(cudaFreeAsync(x, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(nullptr, nullptr) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(own) == cudaSuccess);
  CHECK(cudaDeviceGetMemPool(&current, 0) == cudaSuccess);
  CHECK(current == standard);
  CHECK(cudaMemPoolDestroy(standard) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("child: mistakes of the host" * doctest::skip()) {
  void* x = nullptr;
  char host[8] = {};
  cudaMalloc(&x, 4);
  cudaMemcpy(x, host, 8, cudaMemcpyHostToDevice);
  cudaFree(x);
  cudaFree(x);
  launch_fake("print", 1, 2000);
}

TEST_CASE("child: clusters of a launch and of a query" * doctest::skip()) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {16, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = 32;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int clusters = 0;
  cudaOccupancyMaxActiveClusters(&clusters, fake_kernel("print"), &config);
  std::fprintf(stderr, "the query is done\n");
  cudaLaunchKernelExC(&config, fake_kernel("print"), nullptr);
}

TEST_CASE("a launch with too large clusters is a mistake, a question about them is not") {
  const Ending ending = run_case("child: clusters of a launch and of a query");
  INFO(ending.text);
  const auto error = ending.text.find("error: launch-configuration: cudaLaunchKernelExC");
  REQUIRE(error != std::string::npos);
  CHECK(ending.text.find("the query is done") < error);
  CHECK(ending.text.find("error: ") == error);
}

TEST_CASE("mistakes of host calls are diagnosed by their kind, in the report too") {
  const std::string file = "/tmp/warpwise_pool_test." + std::to_string(getpid());
  const Ending ending = run_case("child: mistakes of the host", "WARPWISE_REPORT=" + file);
  CHECK(ending.says("error: invalid-copy: cudaMemcpy returned cudaErrorInvalidValue"));
  CHECK(ending.says("error: invalid-free: cudaFree"));
  CHECK(ending.says("was freed already"));
  CHECK(ending.says("error: launch-configuration: cudaLaunchKernel"));
  const Ending report = run_command("cat " + file + "; rm " + file);
  for (const char* kind : {"invalid-copy", "invalid-free", "launch-configuration"}) {
    CHECK(report.says("\"kind\":\"" + std::string(kind) + "\""));
  }
}

}  // namespace
}  // namespace warpwise::cudart
