#include "simulator/code/lowering/device_runtime.h"

#include <doctest/doctest.h>

namespace warpwise::code {
namespace device_runtime_test {
namespace {

TEST_CASE("the device runtime's functions are known by the names that nvcc gives them") {
  REQUIRE(runtime_function("__cudaCDP2LaunchDeviceV2") != nullptr);
  CHECK(runtime_function("__cudaCDP2LaunchDeviceV2")->callee == RuntimeCallee::launch);
  CHECK(runtime_function("__cudaCDP2LaunchDeviceV2_ptsz") ==
        runtime_function("__cudaCDP2LaunchDeviceV2"));
  CHECK(runtime_function("cudaLaunchDeviceV2") == nullptr);
  CHECK(runtime_function("__cudaCDP2Memcpy3DAsync") == nullptr);
  CHECK(runtime_function("LaunchDeviceV2") == nullptr);
  CHECK(runtime_function("") == nullptr);
  CHECK(runtime_function("cudaGraphLaunch") == nullptr);
}

TEST_CASE("what belongs to the device runtime and is not there is reported as such") {
  CHECK(is_of_device_runtime("__cudaCDP2Memcpy3DAsync"));
  CHECK(is_of_device_runtime("__cuda_syscall_cnpv2StreamCreate"));
  CHECK_FALSE(is_of_device_runtime("vprintf"));
}

}  // namespace
}  // namespace device_runtime_test
}  // namespace warpwise::code
