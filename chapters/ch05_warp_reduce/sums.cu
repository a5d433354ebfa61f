/// \file
/// Why sums differ: the order of additions, and the variance that cancels.
///
///     build/ch05_warp_reduce --only sums
///     build/ch05_warp_reduce --only cancellation
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "base/numbers.h"
#include "lesson/run.h"
#include "rows.h"

namespace lesson = warpwise::lesson;
using namespace rows;

namespace {

/// Numbers in [first, first + 1) with all the bits of a float.
std::vector<float> numbers(int count, float first) {
  std::vector<float> x;
  lesson::RandomBits bits(11);
  for (int i = 0; i < count; ++i) x.push_back(first + bits.fraction());
  return x;
}

std::string text_of(const char* format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// One warp: each lane adds every 32nd number, then the lanes add their sums.
/// @param[in] x count floats. @param[out] sum one float. All device. @pre one block of one warp.
__global__ void sum_by_warp(const float* x, int count, float* sum) {
  float own = 0;
  for (int i = threadIdx.x; i < count; i += warp_size) own += x[i];
  own = warp_sum(own);
  if (threadIdx.x == 0) *sum = own;
}

/// The variance of one row twice: by E[x^2] - E[x]^2, and from the distances to the mean.
/// @param[in] x count floats. @param[out] variances two floats. All device. @pre one warp.
__global__ void variances_by_warp(const float* x, int count, float* variances) {
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < count; i += warp_size) {
    sum += x[i];
    squares += x[i] * x[i];
  }
  const float mean = warp_sum(sum) / count;
  const float by_squares = warp_sum(squares) / count - mean * mean;
  float centred = 0;
  for (int i = threadIdx.x; i < count; i += warp_size) centred += (x[i] - mean) * (x[i] - mean);
  centred = warp_sum(centred) / count;
  if (threadIdx.x == 0) {
    variances[0] = by_squares;
    variances[1] = centred;
  }
}

/// Copies back what a kernel of one warp wrote.
template <class Kernel>
std::vector<float> results(Kernel kernel, const std::vector<float>& x, std::size_t count) {
  lesson::Workspace space;
  const float* device_x = space.input("x", x);
  std::vector<float> host(count);
  float* out = space.input("out", host);
  kernel<<<1, warp_size>>>(device_x, static_cast<int>(x.size()), out);
  lesson::check(cudaGetLastError());
  lesson::check(cudaMemcpy(host.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost));
  return host;
}

lesson::Demonstration sums() {
  lesson::Demonstration table{
      .name = "sums",
      .title = "the sum of the same numbers in [0, 1), as float",
      .columns = {"numbers", "one after the other", "error", "by a warp", "error"},
      .rows = {}};
  for (int count : {1000, 30000, 1000000}) {
    const std::vector<float> x = numbers(count, 0);
    double exact = 0;
    float one_by_one = 0;
    for (float value : x) {
      exact += value;
      one_by_one += value;
    }
    const float by_warp = results(sum_by_warp, x, 1)[0];
    table.rows.push_back({std::to_string(count), text_of("%.4f", one_by_one),
                          text_of("%.4f", one_by_one - exact), text_of("%.4f", by_warp),
                          text_of("%.4f", by_warp - exact)});
  }
  return table;
}

lesson::Demonstration cancellation() {
  lesson::Demonstration table{
      .name = "cancellation",
      .title = "the variance of 768 numbers in [first, first + 1), as float",
      .columns = {"first", "in double", "E[x^2] - E[x]^2", "from the mean"},
      .rows = {}};
  for (int first : {0, 16, 256, 4096, 65536}) {
    const std::vector<float> x = numbers(768, static_cast<float>(first));
    double sum = 0, squares = 0;
    for (float value : x) sum += value;
    for (float value : x) squares += (value - sum / 768) * (value - sum / 768);
    const std::vector<float> found = results(variances_by_warp, x, 2);
    table.rows.push_back({std::to_string(first), text_of("%.6f", squares / 768),
                          text_of("%.6f", found[0]), text_of("%.6f", found[1])});
  }
  return table;
}

}  // namespace

void sum_tables(lesson::Run& run) {
  run.table("sums", sums);
  run.table("cancellation", cancellation);
}
