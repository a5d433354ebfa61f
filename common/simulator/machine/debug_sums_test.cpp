// Code that a build for debuggers hides in functions without lines: the loops of sums in shared
// memory.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using machine::test::Device;

namespace debug_sums_test {

const std::string source = R"(
#define KERNEL(type) \
  extern "C" __global__ void of_##type(type* out) { \
    __shared__ type sums[32]; \
    sums[threadIdx.x] = 0; \
    __syncthreads(); \
    atomicAdd(sums + threadIdx.x, type(1)); \
    __syncthreads(); \
    out[threadIdx.x] = sums[31 - threadIdx.x]; \
  }
KERNEL(int) KERNEL(float) KERNEL(double)
)";

TEST_CASE("where a sum is a loop that cannot be seen, no load of shared memory is confirmed") {
  const std::string loads = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
  const std::string stores = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
  Device device(source, "-fatbin -std=c++20 -G -gencode 'arch=compute_90,code=[compute_90,sm_90]'");
  for (const auto& [kernel, is_confirmed] :
       {std::pair{"of_int", true}, {"of_float", false}, {"of_double", false}}) {
    CAPTURE(kernel);
    const auto out = device.upload(std::vector<double>(32));
    const auto counters = device.run(kernel, {1, 1, 1}, {32, 1, 1}, out).counts.counters;
    CHECK(counters.count(loads) == is_confirmed);
    CHECK(counters.count("ptx__" + loads) == !is_confirmed);
    CHECK(counters.count(stores) == 1);
  }
}

}  // namespace debug_sums_test
