/// \file
/// Checks exercise 06_five_steps: two arrays added on the device, from host memory to host memory.
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param a, b n floats. @param[out] sum n floats.
using AddOnDevice = void(const float* a, const float* b, float* sum, int n);

void attempt(lesson::Session<AddOnDevice>& session) {
  const int n = session.size()[0];
  std::vector<float> a(n);
  std::vector<float> b(n);
  std::vector<double> sum(n);
  const int first = static_cast<int>(lesson::seeded(0) % 1009);
  for (int i = 0; i < n; ++i) {
    // Small whole numbers: their sums are exact, and no element is like its neighbour.
    a[i] = static_cast<float>((first + i) % 1009);
    b[i] = static_cast<float>(3 * ((first + i) % 127) + 1);
    sum[i] = static_cast<double>(a[i]) + b[i];
  }
  float* out = session.output(sum, {});
  session.call(session.input(a), session.input(b), out, n);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{4096};
  // 4096 floats are 512 sectors, of each of the two inputs.
  constexpr double sectors = 4096.0 * sizeof(float) / 32;
  // More than 256 * 1024: who exchanges grid and block asks for too large a block.
  return lesson::check_program<AddOnDevice>(
      argc, argv,
      {.function = "add_on_device",
       .sizes = {{1}, {31}, {257}, {1000}, {300'000}, last},
       .budget = 10'000'000,
       .lesson = "chapters/ch01_programming_model/README.md, \"The five steps\"",
       .gates = {{.name = "stores",
                  .what = "sectors stored by kernels, of the 512 that 4096 floats are",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = sectors / 512,
                  .at_least = 512,
                  .at_most = 512,
                  .mistake = "every_element_twice"}}},
      attempt);
}
