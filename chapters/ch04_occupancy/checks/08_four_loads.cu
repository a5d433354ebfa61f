/// \file
/// Checks exercise 08_four_loads: signed squares, with four loads of a thread in flight.
#include <cmath>
#include <limits>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// x and y n floats, device; x begins one float after a boundary of 16 bytes. @pre blocks of 128
/// threads, each with up to 4 numbers.
using SignedSquares = void(const float* x, float* y, int n);

constexpr int block = 128;
constexpr int numbers_of_thread = 4;

/// Size: n.
void attempt(lesson::Attempt<SignedSquares>& attempt) {
  const int n = attempt.size()[0];
  std::vector<float> x = lesson::uniform_numbers(n, 47);
  std::vector<double> expected;
  for (const float number : x) expected.push_back(double{number} * std::fabs(number));
  // One number more in front: no four of x can be loaded at once.
  x.insert(x.begin(), std::numeric_limits<float>::quiet_NaN());
  const float* device_x = attempt.input("x", x) + 1;
  // One product, correctly rounded.
  float* y = attempt.output("y", expected, {.absolute = 0x1p-149, .relative = 0x1p-24});
  attempt.launch({.grid = lesson::ceil_div(n, block * numbers_of_thread), .block = block}, device_x,
                 y, n);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{16384};
  const double warps = static_cast<double>(last[0]) / 32;
  // 32 floats that begin one float after a sector touch 5 sectors of x; those of y are 4.
  return lesson::check_exercise<SignedSquares>(
      argc, argv,
      {.kernel = "signed_squares",
       .sizes = {{100}, {1}, {511}, {1023}, {1025}, {100003}, last},
       .budget = 20'000'000,
       .far_budget = 200'000'000,
       .lesson = "chapters/ch04_occupancy/README.md, \"Independent work within a thread\"",
       .gates = {{.name = "registers",
                  .what = "bytes of a thread's values that are not in registers",
                  .measure = lesson::Measure::local_bytes,
                  .at_most = 0,
                  .mistake = "indexed",
                  .announced = "values in registers"},
                 {.name = "sectors",
                  .what = "sectors loaded for each 32 numbers",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 5,
                  .at_most = 5,
                  .mistake = "neighbours"},
                 {.name = "stores",
                  .what = "sectors stored for each 32 numbers",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 4,
                  .at_most = 4,
                  .mistake = "neighbours"},
                 {.name = "threads",
                  .what = "threads that store a number",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last[0]) / numbers_of_thread,
                  .mistake = "one_block",
                  .array = "y"},
                 {.name = "flight",
                  .what = "loads that a thread has in flight",
                  .access = "global load",
                  .measure = lesson::Measure::loads_in_flight,
                  .at_least = numbers_of_thread,
                  .mistake = "unrolled"}},
       .beyond = {{1000003}},
       .full = {1 << 25}},
      attempt);
}
