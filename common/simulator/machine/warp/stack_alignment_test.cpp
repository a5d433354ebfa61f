// Where a kernel's local arrays begin: what an H100 gave, built for debuggers or not.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using machine::test::Device;

namespace stack_alignment_test {

const std::string source = R"(
template <class T> __device__ __noinline__ void fill(T* array, int n) {
  for (int i = 0; i < n; ++i) array[i] = i;
}
#define KERNEL(type, n) \
  extern "C" __global__ void type##_of_##n(unsigned* out) { \
    type array[n]; \
    fill(array, n); \
    out[threadIdx.x] = static_cast<unsigned>(reinterpret_cast<size_t>(array)) % 16; \
  }
KERNEL(char, 3) KERNEL(char, 9) KERNEL(char, 24)
KERNEL(float, 3) KERNEL(float, 5) KERNEL(float, 7)
KERNEL(double, 1) KERNEL(double, 2) KERNEL(double, 5)
)";

void check(const std::string& options) {
  Device device(source, options);
  const std::pair<const char*, unsigned> begins[] = {
      {"char_of_3", 8},   {"char_of_9", 0},   {"char_of_24", 8},
      {"float_of_3", 0},  {"float_of_5", 8},  {"float_of_7", 0},
      {"double_of_1", 8}, {"double_of_2", 0}, {"double_of_5", 8}};
  for (const auto& [kernel, place] : begins) {
    CAPTURE(kernel);
    const auto out = device.upload(std::vector<unsigned>(1, 99));
    Device::check_clean(device.run(kernel, {1, 1, 1}, {1, 1, 1}, out));
    CHECK(device.download<unsigned>(out, 1)[0] == place);
  }
}

TEST_CASE("the size of a kernel's arrays decides where its stack begins") {
  check(machine::test::fatbin_options);
}

TEST_CASE("so it does in a build for debuggers") {
  check("-fatbin -std=c++20 -G -gencode 'arch=compute_90,code=[compute_90,sm_90]'");
}

}  // namespace stack_alignment_test
