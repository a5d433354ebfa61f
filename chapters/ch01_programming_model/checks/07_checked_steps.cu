/// \file
/// Checks exercise 07_checked_steps: the first error of the five steps, and nothing left over.
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param a, b n floats. @param[out] sum n floats. @param block threads of a block.
/// @return the first error.
using AddChecked = cudaError_t(const float* a, const float* b, float* sum, long long n, int block);

constexpr int million = 1'000'000;

/// Sizes are n and block; of those that fit into no GPU, n in millions, block, and 1000000.
void attempt(lesson::Session<AddChecked>& session) {
  const lesson::Size& size = session.size();
  const int block = size[1];
  if (size.dimensions() == 3) {
    // Fails before an element is touched: the arrays need not be there.
    const long long n = static_cast<long long>(size[0]) * million;
    float* nothing = session.input(std::vector<float>{0});
    session.expect(cudaErrorMemoryAllocation, nothing, nothing, nothing, n, block);
    return;
  }
  const int n = size[0];
  const std::vector<float> a = lesson::uniform_numbers(n, 36), b = lesson::uniform_numbers(n, 37);
  float* device_a = session.input(a);
  float* device_b = session.input(b);
  if (block > 1024) {
    float* nothing = session.input(std::vector<float>(n));
    session.expect(cudaErrorInvalidValue, device_a, device_b, nothing, n, block);
    return;
  }
  std::vector<double> sum(n);
  for (int i = 0; i < n; ++i) sum[i] = double{a[i]} + b[i];
  float* out = session.output(sum, {.absolute = 0x1p-149, .relative = 0x1p-24});
  session.expect(cudaSuccess, device_a, device_b, out, n, block);
}

}  // namespace

int main(int argc, char** argv) {
  // An H200 has 141 GB: two arrays of 60 GB fit, a third does not; one of 4 TB does not.
  return lesson::check_program<AddChecked>(
      argc, argv,
      {.function = "add_checked",
       .sizes = {{1, 256},
                 {1000, 256},
                 {1000, 1024},
                 {1000, 1025},
                 {4097, 2000},
                 {15'000, 256, million},
                 {31, 32},
                 {1'000'000, 256, million},
                 {1000, 256}},
       .budget = 10'000'000,
       .lesson = "chapters/ch01_programming_model/README.md, \"Where errors surface\"",
       .gates = {{.name = "stores",
                  .what = "sectors stored by kernels, of the 125 that 1000 floats are",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .at_least = 125,
                  .at_most = 125}}},
      attempt);
}
