/// \file
/// Checks exercise 07_enough_warps: Little's law for one SM.
#include <cmath>
#include <vector>

#include "base/numbers.h"
#include "check/arithmetic.h"

namespace lesson = warpwise::lesson;

namespace {

/// @return the fewest warps of an SM that keep the memory busy.
using WarpsPerSm = int(double gbps, double latency_ns, int sms, int bytes_per_load, int loads);

void ask(lesson::Questions<WarpsPerSm>& ask) {
  const auto expect = [&](double gbps, double latency_ns, int sms, int bytes_per_load, int loads) {
    const double bytes_in_flight = gbps * latency_ns;
    const double bytes_of_warps = double{32} * sms * bytes_per_load * loads;
    ask.expect(static_cast<int>(std::ceil(bytes_in_flight / bytes_of_warps)), gbps, latency_ns, sms,
               bytes_per_load, loads);
  };
  // Exact divisions: powers of two, so that no order of operations rounds.
  expect(1024, 512, 128, 4, 1);
  expect(1024, 512, 128, 16, 4);
  expect(4096, 1024, 1, 4, 1);
  // One byte in flight, and almost nothing.
  expect(1, 1, 1, 4, 1);
  // Half a byte more than four warps ask for: it takes a fifth.
  expect(512.5, 1, 1, 4, 1);
  expect(320, 400, 40, 4, 2);
  expect(1555, 470, 108, 8, 1);
  for (int bytes : {4, 8, 16}) {
    for (int loads : {1, 2, 3, 8}) expect(4800, 617, 132, bytes, loads);
  }
  const std::vector<int> gbps = lesson::uniform_indices(20, 8000, 1);
  const std::vector<int> latency_ns = lesson::uniform_indices(20, 1000, 2);
  // 8009 is prime and larger than the others: no quotient is whole, so none hangs on a rounding.
  for (int i = 0; i < 20; ++i) {
    expect(gbps[i] + 1, latency_ns[i] + 1, 8009, 4 + i % 3 * 4, 1 + i % 4);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::check_arithmetic<WarpsPerSm>(
      argc, argv,
      {.function = "warps_per_sm", .lesson = "chapters/ch04_occupancy/README.md, \"Little's law\""},
      ask);
}
