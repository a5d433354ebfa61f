/// \file
/// What the types lose: the same ordinary numbers multiplied in fp32, TF32 and bf16.
///
///     build/ch06_tensor_cores --only precision
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "product_problem.h"

namespace lesson = warpwise::lesson;

namespace tensor {
namespace {

/// How far a result is from the reference, in units of what an element of C typically is.
struct Errors {
  double largest = 0;
  double typical = 0;  ///< root of the mean square.
};

Errors errors_of(const std::vector<float>& c, const std::vector<double>& expected) {
  double scale = 0, sum = 0, largest = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double error = std::fabs(c[i] - expected[i]);
    // Written so that a NaN counts.
    if (!(error <= largest)) largest = error;
    sum += error * error;
    scale += expected[i] * expected[i];
  }
  return {largest / std::sqrt(scale / static_cast<double>(c.size())), std::sqrt(sum / scale)};
}

/// Numbers in [-1, 1) with all 24 bits of a float, the same on every machine.
std::vector<float> ordinary_input(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float& value : values) {
    value = static_cast<float>(static_cast<std::int32_t>(random()) >> 7) * 0x1p-24F;
  }
  return values;
}

std::string scientific(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

lesson::Demonstration precision_table() {
  constexpr int M = 96, N = 96;
  lesson::Demonstration table{
      .name = "precision",
      .title = "error of C = A * B^T against double, over the root mean square of C",
      .columns = {"arithmetic", "bits of a factor", "K", "typical error", "largest error"},
      .rows = {}};
  for (int K : {64, 1024}) {
    const std::vector<float> a = ordinary_input(std::size_t{M} * K, 1);
    const std::vector<float> b = ordinary_input(std::size_t{N} * K, 2);
    const std::vector<double> expected =
        lesson::product_reference(a, b, M, N, K, lesson::SecondMatrix::transposed);
    lesson::Workspace space;
    Product p{M, N, K};
    p.a = space.input("a", a);
    p.b = space.input("b", b);
    p.a_bf16 = space.input("a_bf16", as_bf16(a));
    p.b_bf16 = space.input("b_bf16", as_bf16(b));
    std::vector<float> c(expected.size());
    p.c = space.input("c", c);
    const auto row = [&](const char* name, const char* bits, void (*start)(const Product&)) {
      start(p);
      lesson::check(cudaMemcpy(c.data(), p.c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
      const Errors errors = errors_of(c, expected);
      table.rows.push_back(
          {name, bits, std::to_string(K), scientific(errors.typical), scientific(errors.largest)});
    };
    row("fp32, no tensor core", "24", start_fp32_tiles);
    if (!has_bf16_mma()) continue;
    row("TF32, sums in fp32", "11", start_tf32_tiles);
    row("bf16, sums in fp32", "8", start_bf16_tiles);
  }
  if (!has_bf16_mma()) table.note = needs_sm_80;
  return table;
}

}  // namespace
}  // namespace tensor

void precision(lesson::Run& run) { run.table("precision", tensor::precision_table); }
