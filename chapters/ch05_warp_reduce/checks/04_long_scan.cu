/// \file
/// Checks exercise 04_long_scan: running sums of an array longer than a block, and than its sums.
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param x n floats. @param[out] y n floats.
using RunningSums = void(const float* x, float* y, int n);

void attempt(lesson::Session<RunningSums>& session) {
  const int n = session.size()[0];
  const std::vector<int> numbers = lesson::uniform_indices(n, 32, 44);
  std::vector<float> x(numbers.begin(), numbers.end());
  std::vector<double> y(n);
  double sum = 0;
  // Whole numbers: their sums are exact, in any order.
  for (int i = 0; i < n; ++i) y[i] = sum += x[i];
  float* out = session.output(y, {});
  session.call(session.input(x), out, n);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{300'001};
  const double sectors = last[0] / 8.0;
  return lesson::check_program<RunningSums>(
      argc, argv,
      {.function = "running_sums",
       .sizes = {{257}, {1}, {255}, {256}, {65'536}, {65'537}, last},
       .budget = 100'000'000,
       .lesson = "chapters/ch05_warp_reduce/README.md, \"A sum for every position\"",
       .gates = {{.name = "stores",
                  .what = "sectors stored by kernels for each 8 numbers",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = sectors,
                  .at_least = 1.9,
                  .at_most = 2.1,
                  .mistake = "once_more",
                  .announced = "each number stored twice"}}},
      attempt);
}
